"""Everything that compare.py needs, and then compare.py itself: one command that prints the table.

    python3 suite/schema/benches/compare/all.py [SUITE] [further flags of compare.py]

SUITE is a copy of the JSON-Schema-Test-Suite, `shared/json-schema-test-suite` beside the project if none is given. Python,
Node and Cargo packages are fetched once, by name and version, into target/compare; all Rust is built for release.
"""
import pathlib
import shutil
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
TARGET = ROOT / "target" / "compare"


def call(*command, folder=ROOT):
    subprocess.run([str(word) for word in command], cwd=folder, check=True, stdout=sys.stderr)


def python():
    folder = TARGET / "venv"
    if not folder.exists():
        venv.create(folder, with_pip=True)
        call(folder / "bin" / "pip", "install", "-q", "-r", HERE / "requirements.txt")
    return folder / "bin" / "python"


def node():
    folder = TARGET / "node"
    if not (folder / "node_modules").exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "package.json", folder)
        call("npm", "install", "--no-audit", "--no-fund", "--silent", folder=folder)
    # The script stands beside what it imports.
    shutil.copy(HERE / "jsf.mjs", folder)
    return folder / "jsf.mjs"


def main():
    given = sys.argv[1:]
    suite = given.pop(0) if given and not given[0].startswith("-") else ROOT.parent / "shared" / "json-schema-test-suite"
    interpreter, faker = python(), node()
    call("cargo", "build", "-q", "--release", "-p", "mcp-conform-schema", "--example", "draw")
    crates = TARGET / "crates"
    call("cargo", "build", "-q", "--release", "--target-dir", crates, folder=HERE / "crates")
    peers = [
        f"mcp-conform={ROOT / 'target' / 'release' / 'examples' / 'draw'}",
        f"json-schema-faker=node {faker}",
        f"noson={crates / 'release' / 'compare-crates'} noson",
        f"json_schema_fuzz={crates / 'release' / 'compare-crates'} json_schema_fuzz",
        # It makes some thirty a second.
        f"hypothesis:10={interpreter} {HERE / 'hyp.py'}",
    ]
    call_last = [interpreter, HERE / "compare.py", suite, *given, *peers]
    sys.exit(subprocess.run([str(word) for word in call_last]).returncode)


main()
