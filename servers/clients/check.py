"""check.py CONFORM INSTALLED NODE [ID...]: has each client talk to each installed server twice, straight and through the recorder, and judges what was
recorded. Prints a line for each with its findings. The exit status is 1 if a client fared otherwise behind the recorder (twice: what happens once may
be chance), gave up, or a recording could not be judged."""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
CONFORM, INSTALLED, NODE = (str(pathlib.Path(path).absolute()) for path in sys.argv[1:4])
CLIENTS = pathlib.Path(INSTALLED) / ".clients"
STATELESS = "2026-07-28"
# Below the ephemeral ports, so that no outgoing connection has taken one.
FIRST_PORT = 21400
START = 30  # seconds until a server listens
TALK = 300  # seconds for all that a client says
LEVELS = ("must", "should", "advice")


@dataclass
class Case:
    """One client and one server over one transport."""

    client: str
    server: dict
    transport: str
    era: str
    port: int

    @property
    def name(self):
        return f"{self.client} {self.server['id']} {self.transport} {self.era}"

    def command(self, target):
        """The client's command line."""
        programs = {
            "python": [CLIENTS / "python/bin/python", HERE / "python.py", "--era", self.era],
            "typescript": [NODE, CLIENTS / "typescript/typescript.mjs"],
            "inspector": [NODE, CLIENTS / "inspector/inspector.mjs", "--era", self.era],
        }
        flags = [word for tool in self.server.get("called", []) for word in ("--tool", tool)]
        return [str(word) for word in [*programs[self.client], *flags, self.transport, *target]]


def cases(servers):
    """Both eras, where client and server have them; over HTTP the Inspector, which starts a process for each request, in its own default alone."""
    found = []
    for server in servers:
        both = STATELESS in server["revisions"]
        for transport in ("stdio", "http", "sse"):
            if transport != "stdio" and transport not in server:
                continue
            eras = {"python": ["auto", "legacy"] if both else ["auto"], "typescript": ["legacy"], "inspector": ["legacy"]}
            if transport == "sse":
                eras["python"] = ["legacy"]
            if transport == "stdio" and both:
                eras["inspector"] = ["legacy", "auto"]
            found += [(client, server, transport, era) for client, known in eras.items() for era in known]
    return [Case(*what, port=FIRST_PORT + 2 * number) for number, what in enumerate(found)]


def filled(text, scratch, port):
    return text.replace("{installed}", INSTALLED).replace("{scratch}", scratch).replace("{port}", str(port))


def started(how, scratch, port):
    """Environment and command of a server, as one command line."""
    environment = [f"{name}={filled(value, scratch, port)}" for name, value in how.get("env", {}).items()]
    return ["env", *environment, *(filled(word, scratch, port) for word in how["start"])]


def talk(case, target, scratch):
    """What the client prints, and its exit status. What the Inspector would keep at home it keeps in a folder of its own."""
    inspector = CLIENTS / "inspector/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    own = {"MCP_STORAGE_DIR": f"{scratch}/inspector", "MCP_CLIENT_CONFIG_PATH": f"{scratch}/inspector/client.json"}
    environment = {**os.environ, **own, "INSPECTOR": str(inspector)}
    with open(f"{scratch}/client.err", "w") as errors:
        ran = subprocess.run(
            case.command(target), env=environment, cwd=scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, timeout=TALK
        )
    return ran.stdout.decode(errors="replace") + f"exit status {ran.returncode}\n"


@contextlib.contextmanager
def program(command, log, scratch):
    """A program that runs meanwhile, and is interrupted afterwards with all that it started."""
    with open(log, "w") as output:
        process = subprocess.Popen(command, cwd=scratch, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def listening(process, port):
    for _ in range(START * 10):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"nothing listens on port {port}")


def once(case, work, recorded):
    """One conversation: what the client says of it, and the recordings."""
    scratch = tempfile.mkdtemp(dir=work)
    (pathlib.Path(scratch) / "data").mkdir()
    (pathlib.Path(scratch) / "data/a.txt").write_text("hello\n")
    out = f"{scratch}/{'-'.join(case.name.split())}.jsonl"
    recorder = [CONFORM, "record", "--out", out]
    if case.transport == "stdio":
        command = started(case.server, scratch, case.port)
        target = [*recorder, "--", *command] if recorded else command
        said = talk(case, target, scratch)
    else:
        how = case.server[case.transport]
        url = filled(how["url"], scratch, case.port)
        with program(started(how, scratch, case.port), f"{scratch}/server.log", scratch) as server:
            listening(server, case.port)
            if recorded:
                listen = ["--listen", f"127.0.0.1:{case.port + 1}", "--to", url, "--transport", case.transport]
                with program([*recorder, *listen], f"{scratch}/record.log", scratch) as bridge:
                    listening(bridge, case.port + 1)
                    said = talk(case, [url.replace(f":{case.port}/", f":{case.port + 1}/")], scratch)
                if bridge.returncode != 0:
                    raise RuntimeError(f"the recorder ended with status {bridge.returncode}: {open(f'{scratch}/record.log').read()}")
            else:
                said = talk(case, [url], scratch)
    recordings = sorted(pathlib.Path(scratch).glob("*.jsonl"), key=lambda path: (len(path.name), path.name))
    return said, [str(path) for path in recordings]


def judged(recordings):
    """The outcome of `judge` as one line and one of ids for each level, or why there is none."""
    if not recordings:
        return None, "nothing was recorded"
    command = [CONFORM, "judge", "--fail-on", "never", "--format", "json", *recordings]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if ran.returncode != 0:
        return None, f"exit status {ran.returncode}: {ran.stderr.strip()[:300]}"
    report = json.loads(ran.stdout)
    rows = []
    for run in report.get("runs", [report]):
        broken = [requirement for requirement in run["requirements"] if requirement["status"] == "fail"]
        ids = {level: [requirement["id"] for requirement in broken if requirement["level"] == level] for level in LEVELS}
        observed = run["summary"]["pass"] + run["summary"]["fail"]
        rows.append((run["protocol"], run["timing"]["requests"], observed, ids))
    return rows, None


def difference(straight, recorded):
    only = lambda these, those: sorted(set(these.splitlines()) - set(those.splitlines()))
    lines = [f"    straight: {line}" for line in only(straight, recorded)]
    return "\n".join(lines + [f"    recorded: {line}" for line in only(recorded, straight)]) or "    the same lines in another order"


def check(case, work):
    """The lines of a case, and whether all is well."""
    try:
        straight, _ = once(case, work, False)
        recorded, recordings = once(case, work, True)
        if straight != recorded:
            straight, _ = once(case, work, False)
            recorded, recordings = once(case, work, True)
        rows, trouble = judged(recordings)
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        return f"{case.name}: {error}", False
    lines, well = [], True
    for revision, requests, observed, ids in rows or []:
        levels = "/".join(str(len(ids[level])) for level in LEVELS)
        lines.append(
            f"{case.client:<11}{case.server['id']:<16}{case.transport:<10}{revision:<12}{requests:>8}{observed:>10}{levels:>22}"
        )
        # Good practice is about the server as it is listed: every client sees the same.
        shown = {level: [name for name in ids[level] if not name.startswith("practice.")] for level in LEVELS}
        lines += [f"    {level:<7} {' '.join(shown[level])}" for level in LEVELS if shown[level]]
    if not recorded.endswith("exit status 0\n"):
        lines.append(f"{case.name}: the client gave up\n{recorded}")
        well = False
    if trouble:
        lines.append(f"{case.name}: not judged: {trouble}")
        well = False
    if straight != recorded:
        lines.append(f"{case.name}: the client fared otherwise behind the recorder\n{difference(straight, recorded)}")
        well = False
    if os.environ.get("KEEP"):
        lines.append("    " + shlex.join(recordings[:1]) + (f" and {len(recordings) - 1} more" if len(recordings) > 1 else ""))
    return "\n".join(lines), well


def main():
    with open(HERE.parent / "servers.toml", "rb") as file:
        servers = tomllib.load(file)["server"]
    wanted = sys.argv[4:] or [server["id"] for server in servers]
    there = lambda server: (pathlib.Path(INSTALLED) / server["id"] / ".stamp").exists()
    for server in servers:
        if server["id"] in wanted and not there(server):
            print(f"left out: {server['id']} is not installed")
    chosen = [server for server in servers if server["id"] in wanted and there(server) and "online" not in server]
    print(f"{'client':<11}{'server':<16}{'transport':<10}{'revision':<12}{'requests':>8}{'observed':>10}{'must/should/advice':>22}")
    with contextlib.ExitStack() as stack:
        keep = os.environ.get("KEEP")
        work = keep or stack.enter_context(tempfile.TemporaryDirectory())
        pathlib.Path(work).mkdir(parents=True, exist_ok=True)
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))))
        results = []
        for lines, well in pool.map(lambda case: check(case, work), cases(chosen)):
            print(lines, flush=True)
            results.append(well)
    print(f"recordings: {len(results)} conversations, {results.count(False)} that went wrong")
    sys.exit(not results or not all(results))


main()
