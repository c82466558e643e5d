from act import run
from mcp import Client, StdioServerParameters


async def connect(stack, target):
    server = target[1] if target[0] == "--url" else StdioServerParameters(command=target[0], args=target[1:])
    return await stack.enter_async_context(Client(server))


run(connect)
