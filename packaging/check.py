#!/usr/bin/env python3
"""Installs the packages as their users do, in empty folders and without Rust, and judges a server of a third party with each.

    packaging/check.py PROGRAM [npm | python | container]...

PROGRAM was built for this machine; for `container` it is built for musl. Needs Node, npm and Python; pnpm, Yarn, uv, pipx and a local
registry are installed into a temporary folder. Exit 1 if something differs from what is expected.
"""

import pathlib
import sys
import tempfile
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from checks import container, npm, python  # noqa: E402 - found by the path above

CHECKS = {"npm": npm.check, "python": python.check, "container": container.check}


def main(words):
    if not words or words[0].startswith("-") or not set(words[1:]) <= set(CHECKS):
        sys.exit(__doc__)
    program, failed = pathlib.Path(words[0]).resolve(), 0
    for name in words[1:] or CHECKS:
        with tempfile.TemporaryDirectory(prefix="mcp-conform-packaging.") as folder:
            try:
                CHECKS[name](program, pathlib.Path(folder))
            except Exception:
                traceback.print_exc()
                failed += 1
    sys.exit(min(failed, 1))


if __name__ == "__main__":
    main(sys.argv[1:])
