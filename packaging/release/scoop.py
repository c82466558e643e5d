#!/usr/bin/env python3
"""Writes the manifest for Scoop (https://scoop.sh) from the archives for Windows of a release.

    packaging/release/scoop.py [FOLDER] > mcp-conform.json

FOLDER holds mcp-conform-TARGET.zip.sha256 (by default target/distrib, where dist puts them).
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.dont_write_bytecode = True

from common import DESCRIPTION, HOMEPAGE, LICENSE, ROOT, stated_sha256, version  # noqa: E402 - found by the path above

ARCHITECTURES = {"64bit": "x86_64-pc-windows-msvc", "arm64": "aarch64-pc-windows-msvc"}


def main(words):
    if len(words) > 1 or words[:1] == ["--help"]:
        sys.exit(__doc__)
    folder = pathlib.Path(words[0]) if words else ROOT / "target" / "distrib"
    print(json.dumps(manifest(folder), indent=4))


def manifest(folder):
    def address(version, target):
        return f"{HOMEPAGE}/releases/download/v{version}/mcp-conform-{target}.zip"

    def archive(target):
        return {"url": address(version(), target), "hash": stated_sha256(folder / f"mcp-conform-{target}.zip")}

    def next_archive(target):
        return {"url": address("$version", target), "hash": {"url": "$url.sha256"}}

    return {
        "version": version(),
        "description": DESCRIPTION,
        "homepage": HOMEPAGE,
        "license": LICENSE.replace(" OR ", "|"),
        "architecture": {name: archive(target) for name, target in ARCHITECTURES.items()},
        "bin": "mcp-conform.exe",
        "checkver": "github",
        "autoupdate": {"architecture": {name: next_archive(target) for name, target in ARCHITECTURES.items()}},
    }


if __name__ == "__main__":
    main(sys.argv[1:])
