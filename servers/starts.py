"""Reads servers.toml for snapshots.sh: one line for each installed server and revision, with tabs between
id, revision, environment and command; the last two as shell words, {scratch} left in them."""
import pathlib
import shlex
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
INSTALLED = HERE / "installed"
STATELESS = "2026-07-28"


def main():
    with open(HERE / "servers.toml", "rb") as file:
        servers = tomllib.load(file)["server"]
    for server in servers:
        if not (INSTALLED / server["id"] / ".stamp").exists():
            print(f"not installed: {server['id']}", file=sys.stderr)
            continue
        if "online" in server:
            print(f"left out: {server['id']}: {server['online']}", file=sys.stderr)
            continue
        environment = words(f"{name}={value}" for name, value in server.get("env", {}).items())
        for revision in judged(server["revisions"]):
            print(server["id"], revision, environment, words(server["start"]), sep="\t")


def judged(revisions):
    """One revision of each era: the newest with a handshake, and the stateless one."""
    handshake = [revision for revision in revisions if revision < STATELESS]
    return handshake[-1:] + [revision for revision in revisions if revision >= STATELESS]


def words(values):
    return shlex.join(value.replace("{installed}", str(INSTALLED)) for value in values)


main()
