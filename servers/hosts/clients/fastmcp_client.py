import json

from act import VERBS, run
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

# By default a result with isError raises: that would be the server's error and not the client's.
VERBS["call"] = lambda session, name, args="{}": session.call_tool(name, json.loads(args), raise_on_error=False)
VERBS["ping"] = lambda session: session.ping()


async def connect(stack, target):
    server = target[1] if target[0] == "--url" else StdioTransport(command=target[0], args=target[1:])
    return await stack.enter_async_context(Client(server))


run(connect)
