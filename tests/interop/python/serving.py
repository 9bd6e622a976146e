"""Code that the test servers share: each listens on a free port of the loopback, and exits when its test ends."""

import socket
import sys
import threading

import uvicorn
from starlette.applications import Starlette


def serve(routes):
    """Serves these routes: see `serve_app`."""
    serve_app(Starlette(routes=routes), log_level='warning')


def serve_app(app, log_level='critical'):
    """Serves until standard input ends. The port is the first line of the output."""
    listener = socket.create_server(('127.0.0.1', 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level=log_level))

    def watch():
        sys.stdin.read()
        server.should_exit = True

    threading.Thread(target=watch, daemon=True).start()
    print(listener.getsockname()[1], flush=True)
    server.run(sockets=[listener])
