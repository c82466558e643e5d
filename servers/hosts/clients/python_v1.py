from act import run
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client


async def connect(stack, target):
    if target[0] == "--url":
        transport = streamablehttp_client(target[1])
    else:
        transport = stdio_client(StdioServerParameters(command=target[0], args=target[1:]))
    read, write, *_ = await stack.enter_async_context(transport)
    session = await stack.enter_async_context(ClientSession(read, write))
    await session.initialize()
    return session


run(connect)
