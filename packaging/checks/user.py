"""A user: an empty folder, a PATH without Rust, and what is expected of the command that was installed."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time


class User:
    """Runs commands in a folder of its own, and says how long each took."""

    def __init__(self, home, path=()):
        self.home = pathlib.Path(home)
        self.home.mkdir(parents=True, exist_ok=True)
        tools = pathlib.Path(home).parent / "tools"
        tools.mkdir(exist_ok=True)
        for name in ("node", "npm", "npx", "python3", "sh", "env", "git"):
            found, link = shutil.which(name), tools / name
            if found and not link.exists():
                link.symlink_to(found)
        words = [*map(str, path), str(tools), "/usr/bin", "/bin"]
        self.env = {"HOME": str(self.home), "PATH": ":".join(words), "NO_COLOR": "1", "LANG": "C.UTF-8"}
        assert self.which("cargo") is None, "cargo is on the PATH"

    def which(self, name):
        return shutil.which(name, path=self.env["PATH"])

    def run(self, *words, expect=0, quiet=False):
        """Runs a command that is to end with a certain status; returns what it wrote, and the seconds it took."""
        began = time.monotonic()
        done = subprocess.run(
            list(map(str, words)), cwd=self.home, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        took = time.monotonic() - began
        said = done.stdout
        if done.returncode != expect:
            raise AssertionError(f"{' '.join(map(str, words))}: exit {done.returncode}, not {expect}\n{said[-4000:]}")
        if not quiet:
            print(f"ok   {took:5.1f} s  {' '.join(map(str, words))[:110]}", flush=True)
        return said, took

    def judges(self, *command, server):
        """A run over a server gives a verdict, and a report that says the same."""
        began = time.monotonic()
        words = [*command, "run", "--reports", "reports", "--", *server]
        done = subprocess.run(words, cwd=self.home, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        took = time.monotonic() - began
        report = json.loads((self.home / "reports" / "report.json").read_text())
        assert done.returncode in (0, 1), f"{words}: exit {done.returncode}\n{done.stdout[-4000:]}"
        assert "CONFORM" in done.stdout, done.stdout[-4000:]
        verdict = next(line for line in done.stdout.splitlines() if "CONFORM" in line)
        print(f"ok   {took:5.1f} s  {' '.join(words)[:110]}\n              {report['server']['name']}: {verdict}", flush=True)
        return took

    def stops(self, *command, server):
        """Ctrl-C in a terminal: every process of the group is told. The command ends with 130, and with it all it started."""
        words = [*command, "run", "--reports", "interrupted", "--", *server]
        # The server is started through a shell that says so in a file: the moment to interrupt is then known.
        running = self.home / "running"
        running.unlink(missing_ok=True)
        os.mkfifo(running)
        wrapped = ["sh", "-c", 'echo $$ > "$0"; exec "$@"', str(running), *server]
        words[words.index("--") + 1 :] = wrapped
        child = subprocess.Popen(words, cwd=self.home, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        with open(running) as started:
            server_id = int(started.readline())
        os.killpg(child.pid, signal.SIGINT)
        status = child.wait(timeout=30)
        # npx ends by the signal itself, which a shell calls 130 as well, and before what it started.
        assert status in (130, -signal.SIGINT), f"{words[0]}: status {status} after Ctrl-C, not 130"
        until = time.monotonic() + 10
        while left := [*self.processes(), *([server_id] if pathlib.Path(f"/proc/{server_id}").exists() else [])]:
            assert time.monotonic() < until, f"left running after Ctrl-C: {left}"
            time.sleep(0.05)
        running.unlink()
        print(f"ok            Ctrl-C: exit {status}, nothing left running ({' '.join(command)})", flush=True)

    def processes(self):
        """Processes whose working directory is this folder."""
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(entry / "cwd").startswith(str(self.home)) and (entry / "stat").read_text().split(") ")[1][0] != "Z":
                    yield int(entry.name)
            except OSError:
                continue
