"""Checks that a default run changes nothing and starts few processes: untouched.py MCP-CONFORM [ID...]

Each installed server of servers.toml is started once by itself (it is greeted and ended) and then judged with default flags, each time
with a working directory, HOME and TMPDIR that hold the same few files. Whatever a run creates, changes or removes there (names, sizes and
hashes are compared), and the bare start does not, is listed, and the exit status is 1. The temporary files of mcp-conform count too.
So is the status where more processes were started than `processes` in servers.toml says.

  --servers FILE     another list of servers in the format of servers.toml
  --installed DIR    the folder of the installed servers [default: installed, beside this file]
  --flags FLAGS      flags for the run, to compare: --flags '--calls additive'
"""
import argparse
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import threading
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
GREETING = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "untouched", "version": "1"}}}
SECONDS = 300


class Place:
    """A working directory, HOME and TMPDIR, and what was in them at first."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name in ("work/data", "home", "tmp"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "work/data/a.txt").write_text("hello\n")
        (self.folder / "home/.profile").write_text("# empty\n")
        self.before = self.tree()

    def tree(self):
        """Every file and folder, with its size and hash."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            name = str(path.relative_to(self.folder))
            if path.is_symlink():
                found[name] = ("link", os.readlink(path))
            elif path.is_file():
                content = path.read_bytes()
                found[name] = (len(content), hashlib.sha256(content).hexdigest())
            else:
                found[name] = ("folder", "")
        return found

    def changed(self):
        """The names of what was created, changed or removed."""
        after = self.tree()
        return {name for name in self.before.keys() | after.keys() if self.before.get(name) != after.get(name)}

    def environment(self, server):
        own = {"HOME": self.folder / "home", "TMPDIR": self.folder / "tmp"}
        own = {name: str(path) for name, path in own.items()}
        # Anything else would write the programs' caches into the user's own folders.
        kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        return kept | {name: self.fill(value) for name, value in server.get("env", {}).items()} | own

    def fill(self, text):
        return text.replace("{scratch}", str(self.folder / "work"))

    def command(self, server):
        return [self.fill(word) for word in server["start"]]


def start(server, place):
    """Greets the server, waits for its answer and lets it end."""
    child = subprocess.Popen(place.command(server), cwd=place.folder / "work", env=place.environment(server),
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    # A server that never answers would be waited for without end.
    limit = threading.Timer(SECONDS, child.kill)
    limit.start()
    try:
        child.stdin.write(json.dumps(GREETING).encode() + b"\n")
        child.stdin.flush()
        answered = bool(child.stdout.readline())
        child.communicate()
        return answered
    finally:
        limit.cancel()
        child.kill()
        child.wait()


def run(conform, flags, server, place, reports):
    """Judges the server: how many processes were started, none if it could not be judged, and what was printed."""
    command = [conform, "run", *flags, "--fail-on", "never", "--quiet", "--reports", reports, "--", *place.command(server)]
    done = subprocess.run(command, cwd=place.folder / "work", env=place.environment(server), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    report = pathlib.Path(reports) / "report.json"
    judged = done.returncode == 0 and report.exists()
    return json.loads(report.read_text())["timing"]["spawns"] if judged else None, done.stdout.decode(errors="replace")


def check(conform, flags, server):
    """What the run changed and the bare start does not, and how many processes it started; none if the server could not be judged."""
    with tempfile.TemporaryDirectory() as bare, tempfile.TemporaryDirectory() as judged, tempfile.TemporaryDirectory() as reports:
        bare, judged = Place(bare), Place(judged)
        if not start(server, bare):
            print(f"{server['id']}: does not answer the greeting")
        spawns, text = run(conform, flags, server, judged, reports)
        if spawns is None:
            print(f"{server['id']}: not judged\n{text}")
            return None
        return sorted(judged.changed() - bare.changed()), spawns


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("conform", type=pathlib.Path)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--servers", type=pathlib.Path, default=HERE / "servers.toml")
    parser.add_argument("--installed", type=pathlib.Path, default=HERE / "installed")
    parser.add_argument("--flags", type=shlex.split, default=[])
    args = parser.parse_args()
    conform, bad, judged = str(args.conform.resolve()), 0, 0
    listed = tomllib.loads(args.servers.read_text())["server"]
    unknown = set(args.ids) - {server["id"] for server in listed}
    if unknown:
        parser.error(f"no such server: {', '.join(sorted(unknown))}")
    for server in listed:
        if args.ids and server["id"] not in args.ids:
            continue
        server["start"] = [word.replace("{installed}", str(args.installed.resolve())) for word in server["start"]]
        program = server["start"][0]
        if "/" in program and not pathlib.Path(program).exists() or not (args.installed / server["id"]).exists():
            print(f"{server['id']}: not installed")
            bad += bool(args.ids)
            continue
        checked = check(conform, args.flags, server)
        if checked is None:
            bad += 1
            continue
        changed, spawns = checked
        most = server.get("processes", spawns)
        judged += 1
        bad += bool(changed) or spawns > most
        many = f", more than {most}" if spawns > most else ""
        shown = "".join(f"\n  {ascii(name)}" for name in changed[:20])
        print(f"{server['id']}: {len(changed)} changed, {spawns} processes{many}{shown}", flush=True)
    print(f"{judged} judged, {bad} changed something, started too many processes or could not be judged")
    sys.exit(bool(bad) or not judged)


main()
