#!/usr/bin/env python3
"""Repeats the measurements of what client libraries refuse: one server per oddity, real clients, the outcome as oddities.toml expects it.

    check.py CLIENT[@VERSION]...              install these clients (clients.toml names them; `all`), do all oddities; exit 1 if one differs
    check.py --only ID[/VARIANT] CLIENT...    one oddity, with what the client printed

The table of hosts (suite/analysis/hosts) is held against oddities.toml by the tests of that crate, so what agrees here agrees with the table.

Clients are installed into servers/installed/hosts/NAME/VERSION (HOSTS_DIR overrides it) and run in an empty folder, one at a time.
What is not answered in 5 s (a connection in 15 s) counts as never answered, so leave the machine alone. All five clients take a quarter of
an hour. Needs Python 3.11 (PYTHON names another for the clients) and Node 20.
"""

import datetime
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "sdk"))

from profiles import free_port, npm, sh

DEST = pathlib.Path(os.environ.get("HOSTS_DIR", HERE.parent / "installed" / "hosts")).resolve()
PLAIN = {"inputSchema": {"type": "object"}}
LISTS = {"list": ("tools", "name"), "list-resources": ("resources", "uri"), "list-prompts": ("prompts", "name")}
PARTS = ("tool", "output", "structured", "result", "server")


def install(client, before):
    """Installs a client, of packages of that day, and returns its command."""
    folder = DEST / client["name"] / client["version"]
    stamp = folder / ".installed"
    if not stamp.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if client["registry"] == "npm":
            npm({"before": before}, client, client["version"], folder)
        else:
            pypi(client, folder)
        stamp.touch()
    # Beside node_modules, since that is where node looks for what they import.
    for file in (HERE / "clients").iterdir():
        if file.suffix in (".mjs", ".py"):
            shutil.copy(file, folder)
    program, script = client["run"]
    return [str(folder / "venv/bin/python") if program == "python" else program, str(folder / script)]


def pypi(client, folder):
    sh([os.environ.get("PYTHON", sys.executable), "-m", "venv", "venv"], cwd=folder)
    sh(["venv/bin/pip", "install", "-q", f"{client['package']}=={client['version']}"], cwd=folder)


def variants(oddity):
    """Each variant's name and what odd_server.py reads for it."""
    names = dict.fromkeys(name for part in PARTS if isinstance(oddity.get(part), dict) for name in oddity[part])
    for name in names or [None]:
        part = {key: json.loads(value[name] if isinstance(value, dict) else value) for key, value in oddity.items() if key in PARTS}
        tool = {"name": "odd"} | PLAIN | ({"outputSchema": part["output"]} if "output" in part else {}) | part.get("tool", {})
        odd = {"tools": [tool, {"name": "plain"} | PLAIN]}
        if "structured" in part:
            text = {"type": "text", "text": json.dumps(part["structured"])}
            odd["results"] = {"odd": {"content": [text], "structuredContent": part["structured"]}}
        if "result" in part:
            odd["results"] = {"odd": part["result"]}
        yield name, odd | part.get("server", {})


def measure(command, actions, odd):
    """Lets a client do the actions, and returns the lines that it printed."""
    server = [sys.executable, str(HERE / "odd_server.py")]
    with tempfile.TemporaryDirectory() as empty:
        if "http" not in odd:
            return lines(command, actions, [*server, json.dumps(odd)], empty)
        port = free_port()
        running = subprocess.Popen([*server, "--http", str(port), json.dumps(odd)], cwd=empty, stdin=subprocess.DEVNULL)
        try:
            until = time.monotonic() + 10
            while time.monotonic() < until:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.02)
            return lines(command, actions, ["--url", f"http://127.0.0.1:{port}/mcp"], empty)
        finally:
            running.terminate()
            running.wait()


def lines(command, actions, target, empty):
    words = [*command, json.dumps(actions), *target]
    client = subprocess.Popen(words, cwd=empty, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        printed, errors = client.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        client.kill()
        printed, errors = client.communicate()
    done = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    if len(done) <= len(actions) and not (done and done[-1].get("connected") is False):
        done.append({"action": "crash", "error": (errors.strip().splitlines() or ["no word on stderr"])[-1]})
    return done


def outcome(done, odd):
    """What became of it, the worst first, and the error text."""
    by = {line["action"]: line for line in done}
    if "crash" in by:
        return "crashes", by["crash"]["error"]
    calls = [line for line in done if line["action"].partition(" ")[0] in ("call", "read", "get-prompt")]
    connect, ping = by["connect"], by.get("ping", {})
    if not connect["connected"]:
        return "disconnects", connect["error"]
    if not ping["ok"]:
        # The first error tells more than that the connection is gone.
        return "disconnects", next(line["error"] for line in done if line.get("ok") is False)
    for action, (member, field) in LISTS.items():
        line = by.get(action)
        if line is None:
            continue
        if not line["ok"]:
            return "list hangs" if line["late"] else "list lost", line["error"]
        offered = [item[field] for item in odd.get(member, [])]
        if len(line["names"]) < len(offered):
            return "tool lost", f"listed {line['names']}"
        if line["names"] != offered:
            return "changed", f"listed {line['names']}"
    if calls and not calls[-1]["ok"]:
        return "call hangs" if calls[-1]["late"] else "call fails", calls[-1]["error"]
    return "passes", ""


def check(oddity, title, odd, client, command, tell):
    """Prints a line, and returns whether the outcome differs from what is expected."""
    name = client["name"]
    done = measure(command, [*oddity.get("do", ["list", "call odd"]), "ping"], odd)
    got, error = outcome(done, odd)
    expected = oddity.get("expect", {}).get(name, "passes")
    if got == expected:
        print(f"ok   {title} {name}: {got}", flush=True)
    else:
        why = f" ({' '.join(error.split())[:120]})" if error else ""
        print(f"FAIL {title} {name}: {expected}, changed in {client['package']} {client['version']}: {got}{why}", flush=True)
    if tell:
        print(*(f"     {json.dumps(line)}" for line in done), sep="\n", flush=True)
    return got != expected


def main(words):
    only = None
    if words[:1] == ["--only"] and len(words) > 1:
        only, words = words[1], words[2:]
    table = tomllib.loads((HERE / "clients.toml").read_text())
    known = {client["name"]: client for client in table["client"]}
    asked = dict(word.partition("@")[::2] for word in words)
    if not asked or not set(asked) <= {*known, "all"}:
        sys.exit(__doc__ + "\nClients: " + " ".join(known))
    clients = [client | ({"version": asked[name]} if asked.get(name) else {}) for name, client in known.items() if {name, "all"} & set(asked)]
    # What came after the pinned date is not there before it.
    today = datetime.date.today().isoformat()
    commands = [install(client, today if asked.get(client["name"]) else table["before"]) for client in clients]
    began, failed, seen = time.monotonic(), 0, 0
    for oddity in tomllib.loads((HERE / "oddities.toml").read_text())["oddity"]:
        for variant, odd in variants(oddity):
            title = f"{oddity['id']}/{variant}" if variant else oddity["id"]
            if only and only not in (title, oddity["id"]):
                continue
            for client, command in zip(clients, commands):
                seen += 1
                failed += check(oddity, title, odd, client, command, bool(only))
    print(f"{seen} measured, {failed} differ ({time.monotonic() - began:.0f} s)")
    # Nothing measured is no success: a name was misspelled.
    sys.exit(1 if failed or not seen else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
