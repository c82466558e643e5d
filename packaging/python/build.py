"""PyPI: a wheel that carries the program as the command `mcp-conform`, for any Python 3."""

import os
import re
import shutil
import sys

from common import PACKAGING, ROOT, sh

# The oldest systems that Rust's targets run on, where the program itself does not tell (docs: rustc's platform support).
OLDEST = {"x86_64-apple-darwin": "macosx_10_12", "aarch64-apple-darwin": "macosx_11_0", "x86_64-pc-windows-msvc": "win_amd64", "aarch64-pc-windows-msvc": "win_arm64"}


def build(program, platform, out):
    """Builds the wheel in a copy, so that nothing is left in the sources."""
    for old in out.glob("*.whl"):
        old.unlink()
    sources = out / "sources"
    shutil.rmtree(sources, ignore_errors=True)
    shutil.copytree(PACKAGING / "python", sources / "packaging" / "python", ignore=shutil.ignore_patterns("build.py"))
    for name in ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT"]:
        shutil.copy(ROOT / name, sources if name == "Cargo.toml" else sources / "packaging" / "python")
    carried = sources / ("mcp-conform.exe" if "windows" in platform["target"] else "mcp-conform")
    shutil.copy(program, carried)
    carried.chmod(0o755)
    env = os.environ | {"MCP_CONFORM_PROGRAM": str(carried), "MCP_CONFORM_TAG": tag(program.read_bytes(), platform["target"])}
    sh([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", out, "."], cwd=sources / "packaging" / "python", env=env)
    shutil.rmtree(sources)
    return list(out.glob("*.whl"))


def tag(program, target):
    """The platforms on which a program runs: of glibc, those with the newest version that it asks for; of musl it is static, and runs on all."""
    processor = target.split("-")[0]
    if target.endswith("-musl"):
        return f"manylinux_2_17_{processor}.manylinux2014_{processor}.musllinux_1_1_{processor}"
    if target.endswith("-gnu"):
        minor = max(int(found) for found in re.findall(rb"GLIBC_2\.(\d+)", program))
        return f"manylinux_2_{max(minor, 17)}_{processor}"
    if "darwin" in target:
        return f"{OLDEST[target]}_{'arm64' if processor == 'aarch64' else processor}"
    return OLDEST[target]
