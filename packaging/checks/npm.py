"""npm, npx, pnpm and Yarn take the packages from a registry on this machine, which passes on to npmjs.org what it does not have."""

import contextlib
import json
import os
import shutil
import subprocess
import urllib.request

import common
from checks.user import User

SERVER = "@modelcontextprotocol/server-everything"
COMMAND = ["node", "node_modules/@modelcontextprotocol/server-everything/dist/index.js"]
MANAGERS = ["pnpm@10", "yarn", "@yarnpkg/cli-dist"]
# The oldest that the package says it runs on, and those that are maintained.
NODES = [18, 22, 24]


def check(program, folder):
    packages = common.built("npm", program, folder / "packages")
    size = sum(path.stat().st_size for path in packages)
    # A release has the packages of all platforms, and Yarn asks for each of them: an empty program stands in for those of others.
    empty = folder / "mcp-conform"
    empty.touch()
    others = [platform["target"] for platform in common.platforms() if platform["target"] != common.this_target()]
    others = [common.built("npm", empty, folder / "others", target)[0] for target in others]
    print(f"ok            {', '.join(path.name for path in packages)}: {size / 1e6:.1f} MB")
    tools = folder / "npm"
    tools.mkdir()
    # Verdaccio asks for the tag `cjs` of node-fetch, which registries that mirror npmjs.org may not have.
    (tools / "package.json").write_text('{"private": true, "overrides": {"node-fetch": "2.6.7"}}')
    common.sh(["npm", "install", "--no-audit", "--no-fund", "verdaccio", *MANAGERS], cwd=tools)
    with registry(tools, folder) as address:
        for package in [*others, *packages]:
            common.sh(["npm", "publish", "--registry", address, package], env=publisher(folder, address))
        installed(folder, address)
        by_other_managers(tools, folder, address)


def installed(folder, address):
    """npm install and npx in the folder of a server."""
    user = User(folder / "npm-user")
    user.env["npm_config_registry"] = address
    user.run("npm", "init", "--yes", quiet=True)
    user.run("npm", "install", "--no-audit", "--no-fund", SERVER)
    _, took = user.run("npm", "install", "--save-dev", "--no-audit", "--no-fund", "mcp-conform")
    carried = [path.name for path in (user.home / "node_modules" / "@mcp-conform").iterdir()]
    assert len(carried) == 1, f"npm installed {carried}: one platform is this one"
    took += user.judges("npx", "mcp-conform", server=COMMAND)
    print(f"ok   {took:5.1f} s  from install to verdict")
    user.run("npx", "mcp-conform", "rnu", expect=2)
    user.stops("npx", "mcp-conform", server=COMMAND)
    user.stops("node_modules/.bin/mcp-conform", server=COMMAND)
    for version in NODES:
        by_node(version, user, folder / f"node{version}")
    fresh = User(folder / "npx-user")
    fresh.env["npm_config_registry"] = address
    fresh.run("npx", "--yes", "mcp-conform", "--version")
    without = User(folder / "without-optional")
    without.env["npm_config_registry"] = address
    without.run("npm", "install", "--no-audit", "--no-fund", "--omit=optional", "mcp-conform", quiet=True)
    said, _ = without.run("npx", "mcp-conform", "--version", expect=3)
    assert "optional dependencies were left out" in said, said


def by_node(version, user, folder):
    """The package as it is installed, under another Node.js than that of this machine."""
    folder.mkdir()
    common.sh(["npm", "install", "--no-audit", "--no-fund", "--prefix", folder, f"node@{version}"], cwd=folder)
    command = [str(folder / "node_modules" / "node" / "bin" / "node"), "node_modules/mcp-conform/bin/mcp-conform.js"]
    said, _ = user.run(command[0], "--version")
    assert said.startswith(f"v{version}."), said
    user.run(*command, "rnu", expect=2)
    user.stops(*command, server=COMMAND)


def by_other_managers(tools, folder, address):
    """pnpm, Yarn 1, and Yarn 4, which keeps packages in archives."""
    bin = tools / "node_modules" / ".bin"
    pnpm = User(folder / "pnpm-user")
    pnpm.env["npm_config_registry"] = address
    pnpm.run(bin / "pnpm", "add", "--silent", "mcp-conform")
    pnpm.run(bin / "pnpm", "exec", "mcp-conform", "--version")
    yarn = tools / "node_modules" / "yarn" / "bin" / "yarn.js"
    old = User(folder / "yarn1-user")
    old.env["npm_config_registry"] = address
    old.run("node", yarn, "add", "--silent", "--registry", address, "mcp-conform")
    old.run("node", yarn, "run", "--silent", "mcp-conform", "--version")
    berry = tools / "node_modules" / "@yarnpkg" / "cli-dist" / "bin" / "yarn.js"
    new = User(folder / "yarn4-user")
    new.env |= {"YARN_NPM_REGISTRY_SERVER": address, "YARN_UNSAFE_HTTP_WHITELIST": "127.0.0.1", "YARN_ENABLE_TELEMETRY": "0", "YARN_NPM_MINIMAL_AGE_GATE": "0"}
    (new.home / "package.json").write_text('{"name": "user", "private": true}\n')
    (new.home / "yarn.lock").write_text("")
    new.run("node", berry, "add", "mcp-conform")
    new.run("node", berry, "run", "mcp-conform", "--version")


def publisher(folder, address):
    """The environment of a user who may publish there; the registry asks for no password."""
    rc = folder / "publisher.npmrc"
    rc.write_text(f"//{address.split('//')[1]}/:_authToken=nobody\n")
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "npm_config_userconfig": str(rc)}


@contextlib.contextmanager
def registry(tools, folder):
    """Verdaccio on a free port; what is published to it stays in the folder."""
    home = folder / "registry"
    home.mkdir()
    config = home / "config.yaml"
    free = {"access": "$all", "publish": "$all", "unpublish": "$all"}
    config.write_text(
        json.dumps(
            {
                "storage": str(home / "storage"),
                "max_body_size": "100mb",
                "uplinks": {"npmjs": {"url": "https://registry.npmjs.org/"}},
                "packages": {"mcp-conform": free, "@mcp-conform/*": free, "**": free | {"proxy": "npmjs"}},
                "log": {"type": "stdout", "format": "json", "level": "warn"},
            }
        )
    )
    address = f"http://127.0.0.1:{common.free_port()}"
    words = ["node", tools / "node_modules" / ".bin" / "verdaccio", "--config", config, "--listen", address]
    with open(home / "log", "wb") as log:
        server = subprocess.Popen(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=home)
    try:
        common.wait_for(lambda: urllib.request.urlopen(address + "/-/ping", timeout=5), server)
        yield address
    except BaseException:
        print((home / "log").read_text()[-3000:])
        raise
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(home)
