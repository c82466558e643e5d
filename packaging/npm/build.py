"""npm: one package for the program of each platform, and `mcp-conform`, which has all of them as optional dependencies.

A package manager installs the one whose os, cpu and libc are this machine's. Nothing runs when it is installed, and nothing is fetched later.
"""

import json
import shutil

from common import DESCRIPTION, HOMEPAGE, LICENSE, ROOT, PACKAGING, platforms, sh, version

SCOPE = "@mcp-conform/cli-"
LICENSES = ["LICENSE-APACHE", "LICENSE-MIT"]


def build(program, platform, out):
    """Writes the package for `platform` and the one that users install, and packs both."""
    return [pack(carrier(program, platform, out), out), pack(main(out), out)]


def described(name, what):
    return {
        "name": name,
        "version": version(),
        "description": what,
        "license": LICENSE,
        "homepage": HOMEPAGE,
        "repository": {"type": "git", "url": f"git+{HOMEPAGE}.git", "directory": "packaging/npm"},
        "engines": {"node": ">=18"},
    }


def carrier(program, platform, out):
    """The package that carries the program for one platform."""
    system, processor = platform["npm"].split("-")[:2]
    package = described(SCOPE + platform["npm"], f"The program of mcp-conform for {platform['target']}") | {
        "os": [system],
        "cpu": [processor],
        "files": ["bin", *LICENSES],
        # Yarn keeps packages in archives, from which no program can be started.
        "preferUnplugged": True,
    }
    if "libc" in platform:
        package["libc"] = [platform["libc"]]
    folder = fresh(out / f"cli-{platform['npm']}")
    write(folder, package, f"# {package['name']}\n\n{package['description']}. Install [mcp-conform](https://www.npmjs.com/package/mcp-conform).\n")
    file = folder / "bin" / ("mcp-conform.exe" if system == "win32" else "mcp-conform")
    file.parent.mkdir()
    shutil.copy(program, file)
    file.chmod(0o755)
    return folder


def main(out):
    """The package that users install."""
    package = described("mcp-conform", DESCRIPTION) | {
        "keywords": ["mcp", "model context protocol", "conformance", "testing", "fuzzing"],
        "bin": {"mcp-conform": "bin/mcp-conform.js"},
        "files": ["bin", *LICENSES],
        "optionalDependencies": {SCOPE + platform["npm"]: version() for platform in platforms()},
    }
    folder = fresh(out / "mcp-conform")
    shutil.copytree(PACKAGING / "npm" / "main", folder, dirs_exist_ok=True)
    (folder / "bin" / "mcp-conform.js").chmod(0o755)
    write(folder, package, (PACKAGING / "npm" / "README.md").read_text())
    return folder


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def write(folder, package, readme):
    (folder / "package.json").write_text(json.dumps(package, indent=2) + "\n")
    (folder / "README.md").write_text(readme)
    for name in LICENSES:
        shutil.copy(ROOT / name, folder)


def pack(folder, out):
    """Packs a folder as `npm publish` would."""
    packed = json.loads(sh(["npm", "pack", "--json", "--pack-destination", out], cwd=folder))
    return out / packed[0]["filename"].replace("@", "").replace("/", "-")
