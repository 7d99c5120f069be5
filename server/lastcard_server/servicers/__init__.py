"""
The services of the contract, one a module, without any gRPC types.

A servicer's method is given a parsed request and the caller and returns a message, or an iterator
of messages, or raises Refusal; `rpc` does everything around it.
"""
