"""The services of the contract, one a module; no gRPC types in them (see `rpc`)."""
