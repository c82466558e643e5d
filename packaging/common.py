"""What the packages have in common: the version, the platforms, and how a command is run."""

import pathlib
import socket
import subprocess
import sys
import time
import tomllib

PACKAGING = pathlib.Path(__file__).resolve().parent
ROOT = PACKAGING.parent
DESCRIPTION = "Test whether an MCP (Model Context Protocol) server conforms to the specification"
HOMEPAGE = "https://github.com/mcp-conform/mcp-conform"
LICENSE = "MIT OR Apache-2.0"


def version():
    """The version of the workspace: it is written nowhere else."""
    return tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def platforms():
    return tomllib.loads((PACKAGING / "platforms.toml").read_text())["platform"]


def platform(target):
    for entry in platforms():
        if entry["target"] == target:
            return entry
    sys.exit(f"error: {target} is not in packaging/platforms.toml")


def this_target():
    return sh(["rustc", "--print", "host-tuple"]).strip()


def sh(words, **more):
    """Runs a command and returns its standard output; what it says of a failure is shown."""
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def stated_sha256(file):
    """The checksum that the file beside an archive of a release states, as sha256sum writes it."""
    stated = file.with_name(f"{file.name}.sha256")
    try:
        return stated.read_text().split()[0]
    except (OSError, IndexError) as error:
        sys.exit(f"error: {stated}: {error}\n  dist puts it there: dist build --artifacts=local --target TARGET")


def built(name, program, out, target=None):
    """The paths of what `packaging/build NAME PROGRAM` built."""
    words = [PACKAGING / "build", name, program, "--out", out, *(["--target", target] if target else [])]
    return [pathlib.Path(line) for line in sh(words).splitlines()]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(answers, server, seconds=60):
    """Waits until a server that was just started answers; it has no other way of saying so."""
    until = time.monotonic() + seconds
    while True:
        try:
            return answers()
        except OSError:
            if server.poll() is not None or time.monotonic() > until:
                raise RuntimeError("the server does not answer") from None
            time.sleep(0.1)
