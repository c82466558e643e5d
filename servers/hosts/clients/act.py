"""What the Python clients share: connect, do the actions, print one JSON object for each.

    python_v1.py '["list", "call odd {}"]' COMMAND ARGUMENT...
    python_v1.py '["list", "call odd {}"]' --url URL
"""

import asyncio
import contextlib
import json
import os
import sys

LIMIT = 5
# The Python SDK 2.x gives server/discover 10 s before it says initialize.
CONNECT_LIMIT = 15

# FastMCP returns the bare list where the SDK returns the result around it.
VERBS = {
    "list": lambda session: session.list_tools(),
    "list-resources": lambda session: session.list_resources(),
    "list-prompts": lambda session: session.list_prompts(),
    "call": lambda session, name, args="{}": session.call_tool(name, json.loads(args)),
    "read": lambda session, uri: session.read_resource(uri),
    "get-prompt": lambda session, name: session.get_prompt(name),
    "ping": lambda session: session.send_ping(),
}


def names(verb, answer):
    member, field = {
        "list": ("tools", "name"),
        "list-resources": ("resources", "uri"),
        "list-prompts": ("prompts", "name"),
        "read": ("contents", "uri"),
    }.get(verb, (None, None))
    return {"names": [str(getattr(item, field)) for item in getattr(answer, member, answer)]} if member else {}


def say(**line):
    print(json.dumps(line), flush=True)


def reason(error):
    """The first plain error in a group, with its type: many of these have no text."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


async def main(connect, verbs):
    pending = ["connect", *json.loads(sys.argv[1])]
    try:
        async with contextlib.AsyncExitStack() as stack:
            async with asyncio.timeout(CONNECT_LIMIT):
                session = await connect(stack, sys.argv[2:])
            say(action=pending.pop(0), connected=True)
            while pending:
                verb, *words = pending[0].split(" ", 2)
                try:
                    async with asyncio.timeout(LIMIT):
                        answer = await verbs[verb](session, *words)
                    say(action=pending[0], ok=True, **names(verb, answer))
                except Exception as error:
                    say(action=pending[0], ok=False, late=isinstance(error, TimeoutError), error=reason(error))
                pending.pop(0)
            # What a client does at the end is not measured, and the server ends with its stdin.
            os._exit(0)
    except BaseException as error:
        # The session's own tasks failed and took ours along: what is still pending is lost with them.
        for action in pending:
            say(action=action, connected=action != "connect" and "connect" not in pending, ok=False, error=reason(error))
            if action == "connect":
                break
    os._exit(0)


def run(connect, verbs=VERBS):
    asyncio.run(main(connect, verbs))
