#!/usr/bin/env python3
"""Builds the packages of one kind for every platform, from the archives of a release.

    packaging/release/packages.py NAME [ARCHIVES] [--out FOLDER]

NAME is npm, python or container; ARCHIVES holds mcp-conform-TARGET.tar.xz and .zip with their .sha256 (by default target/distrib, where dist
puts them). Prints the files in the order in which they are to be published. The container is built for the static programs alone.
"""

import argparse
import hashlib
import pathlib
import sys
import tarfile
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True

from common import ROOT, built, platforms, stated_sha256  # noqa: E402 - found by the path above


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("name", choices=["npm", "python", "container"])
    words.add_argument("archives", type=pathlib.Path, nargs="?", default=ROOT / "target" / "distrib")
    words.add_argument("--out", type=pathlib.Path, default=ROOT / "target" / "packaging")
    given = words.parse_args()
    carried = [platform["target"] for platform in platforms() if given.name != "container" or platform.get("libc") == "musl"]
    paths = {}
    for target in carried:
        with tempfile.TemporaryDirectory() as folder:
            for path in built(given.name, program(given.archives, target, pathlib.Path(folder)), given.out / target, target):
                # npm's package without a program comes with each, and is published after those that it depends on.
                paths.pop(path.name, None)
                paths[path.name] = path
    print(*paths.values(), sep="\n")


def program(archives, target, folder):
    """Unpacks the program for a target into a folder, if its archive is what the checksum says; returns its path."""
    name = f"mcp-conform-{target}"
    if "windows" in target:
        archive, out = archives / f"{name}.zip", folder / "mcp-conform.exe"
        with zipfile.ZipFile(checked(archive)) as packed:
            out.write_bytes(packed.read(out.name))
    else:
        archive, out = archives / f"{name}.tar.xz", folder / "mcp-conform"
        with tarfile.open(checked(archive)) as packed:
            out.write_bytes(packed.extractfile(f"{name}/{out.name}").read())
    out.chmod(0o755)
    return out


def checked(archive):
    """The archive, whose checksum is as stated."""
    stated = stated_sha256(archive)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if stated != found:
        sys.exit(f"error: {archive}: its SHA-256 is {found}, and {stated} is stated")
    return archive


if __name__ == "__main__":
    main()
