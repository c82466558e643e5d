"""python.py [--era legacy|auto] [--tool NAME]... stdio COMMAND... | http URL | sse URL: a client of the official Python SDK that asks a server for all
that can be asked without harm, and prints what kind of answer came to each request. Where answers follow the clock, kinds do not."""
import argparse
import re
import sys
import time
import warnings

import anyio
from mcp import Client, StdioServerParameters, types
from mcp.client.sse import sse_client
from mcp.shared.exceptions import MCPError

CALLED = 24  # tools at most
PAGES = 20
STARTED = 20  # seconds for an answer: the first waits until the server has started
SAID = 3  # seconds for a tool; what takes longer is given up
STATELESS = "2026-07-28"


def sample(schema):
    """The plainest value that fits; what needs more than that is refused by the server, which is an answer, too."""
    if "default" in schema:
        return schema["default"]
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type") or (schema.get("anyOf") or [{}])[0].get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return members(schema)
    if kind == "array":
        return [sample(schema["items"])] if "items" in schema else []
    if kind in ("integer", "number"):
        return max(1, schema.get("minimum", 1))
    return True if kind == "boolean" else "a"


def members(schema):
    properties = schema.get("properties", {})
    return {name: sample(properties.get(name, {})) for name in schema.get("required", [])}


def harmless(tool):
    hints = tool.annotations
    return hints is not None and (hints.read_only_hint is True or hints.destructive_hint is False)


async def list_roots(_context):
    return types.ListRootsResult(roots=[types.Root(uri="file:///tmp", name="tmp")])


async def sampled(_context, _params):
    content = types.TextContent(type="text", text="sampled")
    return types.CreateMessageResult(role="assistant", model="none", content=content)


async def elicited(_context, params):
    schema = getattr(params, "requested_schema", None)
    if schema is None:
        return types.ElicitResult(action="decline")
    return types.ElicitResult(action="accept", content=members(schema))


async def progressed(_progress, _total, _message):
    pass


async def step(name, asked):
    """Says what came, and never fails: a refusal is as good an answer as any."""
    try:
        result = await asked
    except MCPError as refusal:
        print(name, "error", refusal.code, flush=True)
    except (RuntimeError, ValueError, TimeoutError) as error:
        print(name, "refused:", type(error).__name__, flush=True)
    else:
        print(name, "isError" if getattr(result, "is_error", False) else "result", flush=True)
        return result


async def everything(name, ask, member):
    found, cursor = [], None
    for page in range(1, PAGES + 1):
        result = await step(f"{name} page {page}", ask(cursor=cursor))
        found += getattr(result, member, [])
        cursor = getattr(result, "next_cursor", None)
        if cursor is None:
            break
    print(name, len(found), flush=True)
    return found


async def tools(client, named):
    slowest = (0, None, None)
    listed = await everything("tools/list", client.list_tools, "tools")
    for tool in [tool for tool in listed if tool.name in named or harmless(tool)][:CALLED]:
        given = members(tool.input_schema)
        began = time.monotonic()
        await step(f"tools/call {tool.name}", client.call_tool(tool.name, given, SAID, progressed))
        slowest = max(slowest, (time.monotonic() - began, tool.name, given), key=lambda call: call[0])
    await step("tools/call of no such tool", client.call_tool("no_such_tool", {}))
    # The slowest is called once more and cancelled on the way; which comes first is chance, so nothing is said of it.
    took, name, given = slowest
    if name is not None:
        with anyio.move_on_after(took / 4):
            try:
                await client.call_tool(name, given)
            except (MCPError, RuntimeError):
                pass


async def prompts(client):
    found = await everything("prompts/list", client.list_prompts, "prompts")
    for prompt in found:
        given = {argument.name: "a" for argument in prompt.arguments or [] if argument.required}
        await step(f"prompts/get {prompt.name}", client.get_prompt(prompt.name, given))
    await step("prompts/get of no such prompt", client.get_prompt("no_such_prompt"))
    return [
        (types.PromptReference(type="ref/prompt", name=prompt.name), prompt.arguments[0].name)
        for prompt in found
        if prompt.arguments
    ]


async def resources(client):
    found = await everything("resources/list", client.list_resources, "resources")
    templates = await everything("resources/templates/list", client.list_resource_templates, "resource_templates")
    templates = [template.uri_template for template in templates]
    uris = [str(resource.uri) for resource in found] + [re.sub(r"\{[^}]*\}", "1", template) for template in templates]
    for uri in uris:
        await step(f"resources/read {uri}", client.read_resource(uri))
    await step("resources/read of no such resource", client.read_resource("file:///no/such/resource"))
    if uris and client.server_capabilities.resources.subscribe:
        await watch(client, uris[0])
    named = [(template, re.search(r"\{\W?(\w+)", template)) for template in templates]
    return [
        (types.ResourceTemplateReference(type="ref/resource", uri=template), name[1]) for template, name in named if name
    ]


async def watch(client, uri):
    if client.protocol_version < STATELESS:
        await step("resources/subscribe", client.subscribe_resource(uri))
        await step("resources/unsubscribe", client.unsubscribe_resource(uri))


async def listen(client):
    try:
        with anyio.fail_after(SAID):
            async with client.listen(tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True):
                print("subscriptions/listen acknowledged", flush=True)
    except (MCPError, RuntimeError, TimeoutError) as error:
        print("subscriptions/listen", "refused:", type(error).__name__, flush=True)


async def talk(client, named):
    offered = client.server_capabilities
    print("connected", client.protocol_version, client.server_info and client.server_info.name, flush=True)
    if client.protocol_version < STATELESS:
        await step("ping", client.send_ping())
        await client.send_roots_list_changed()
        if offered.logging:
            await step("logging/setLevel", client.set_logging_level("debug"))
    else:
        await listen(client)
    if offered.tools:
        await tools(client, named)
    completable = []
    if offered.prompts:
        completable += await prompts(client)
    if offered.resources:
        completable += await resources(client)
    if offered.completions:
        for reference, name in completable:
            await step("completion/complete", client.complete(reference, {"name": name, "value": ""}))


async def main():
    at = next(index for index, word in enumerate(sys.argv) if word in ("stdio", "http", "sse"))
    transport, target = sys.argv[at], sys.argv[at + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("--era", choices=["legacy", "auto"], default="auto")
    parser.add_argument("--tool", action="append", default=[])
    args = parser.parse_args(sys.argv[1:at])
    server = {
        "stdio": lambda: StdioServerParameters(command=target[0], args=target[1:]),
        "http": lambda: target[0],
        "sse": lambda: sse_client(target[0]),
    }[transport]()
    client = Client(
        server,
        mode=args.era,
        read_timeout_seconds=STARTED,
        list_roots_callback=list_roots,
        sampling_callback=sampled,
        elicitation_callback=elicited,
        log_level="debug",
        client_info=types.Implementation(name="recordings-python", version="1"),
    )
    with anyio.fail_after(100):
        async with client:
            await talk(client, args.tool)


# Half of what a client of a handshake revision says is deprecated by the stateless one.
warnings.simplefilter("ignore")
anyio.run(main)
