"""A bot whose bytes are no messages, time and again."""

import contextlib
import os
import time

import grpc

METADATA = (("authorization", f"Bearer {os.environ['LASTCARD_KEY']}"),)

with grpc.insecure_channel(os.environ["LASTCARD_ADDRESS"]) as channel:
    play: "grpc.StreamStreamMultiCallable[bytes, bytes]"  # generic in its stub alone
    play = channel.stream_stream("/lastcard.v1.PlayService/Play")
    while True:
        with contextlib.suppress(grpc.RpcError):
            for _ in play(iter([b"\xff\xff\xff"]), metadata=METADATA):
                pass
        time.sleep(0.1)
