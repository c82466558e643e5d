"""Starts the program that this package carries: `python -m mcp_conform_rs`, and the command `mcp-conform-rs`."""

import importlib.metadata
import os
import subprocess
import sys

# As if the server could not be judged: 1 and 2 say something of the server and of the command line.
CANNOT_JUDGE = 3


def fail(text):
    print("error: " + text, file=sys.stderr)
    sys.exit(CANNOT_JUDGE)


def program():
    """The path of the program. Another package may have put a command of the same name in its place: its size is another one."""
    names = ("mcp-conform", "mcp-conform.exe")
    for file in importlib.metadata.files("mcp-conform-rs") or []:
        if file.name in names:
            path = os.path.normpath(str(file.locate()))
            if not os.path.exists(path) or os.path.getsize(path) != file.size:
                fail(
                    path + " is not the program of mcp-conform-rs: another package has a command of that name (on PyPI, mcp-conform)\n"
                    "  to have both, give this one an environment of its own: uvx mcp-conform-rs, or pipx run mcp-conform-rs\n"
                    "  to have this one: pip install --force-reinstall --no-deps mcp-conform-rs"
                )
            return path
    fail("mcp-conform-rs is not installed completely\n  pip install --force-reinstall mcp-conform-rs")


def main():
    words = [program()] + sys.argv[1:]
    if os.name == "nt":
        # There exec starts a process and ends this one, before the other has ended.
        sys.exit(subprocess.call(words))
    os.execv(words[0], words)


if __name__ == "__main__":
    main()
