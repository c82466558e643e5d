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

from common import ROOT, built, platforms  # noqa: E402 - found by the path above


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
            program = unpack(archive(given.archives, target), pathlib.Path(folder))
            # By name: the package that has no program comes with each, and is published after those that it depends on.
            for path in built(given.name, program, given.out / target, target):
                paths.pop(path.name, None)
                paths[path.name if given.name != "container" else target] = path
    print(*paths.values(), sep="\n")


def archive(folder, target):
    """The archive for a target, if it is what its checksum says."""
    file = folder / f"mcp-conform-{target}{'.zip' if 'windows' in target else '.tar.xz'}"
    try:
        stated = (folder / f"{file.name}.sha256").read_text().split()[0]
        found = hashlib.sha256(file.read_bytes()).hexdigest()
    except (OSError, IndexError) as error:
        sys.exit(f"error: {file}: {error}\n  dist build --artifacts=local --target {target}")
    if stated != found:
        sys.exit(f"error: {file}: its SHA-256 is {found}, and {stated} is stated")
    return file


def unpack(file, folder):
    """Unpacks the program alone, and returns its path."""
    name = "mcp-conform.exe" if file.suffix == ".zip" else "mcp-conform"
    out = folder / name
    if file.suffix == ".zip":
        with zipfile.ZipFile(file) as packed:
            out.write_bytes(packed.read(name))
    else:
        with tarfile.open(file) as packed:
            out.write_bytes(packed.extractfile(f"{file.name.removesuffix('.tar.xz')}/{name}").read())
    out.chmod(0o755)
    return out


if __name__ == "__main__":
    main()
