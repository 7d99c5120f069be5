"""
What does a call cost that does nothing? The yardstick server: unary, bytes in, as many bytes out.

Run as a program it prints its port and serves on loopback until it is ended.
"""

import asyncio
import sys

import grpc

METHOD = "/yardstick.Echo/Call"


async def serve(reply_bytes: int) -> None:
    """Answer every call with so many bytes."""
    reply = bytes(reply_bytes)

    async def call(_request: bytes, _context: object) -> bytes:
        return reply

    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Call": grpc.unary_unary_rpc_method_handler(call)
    }
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("yardstick.Echo", handlers),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
