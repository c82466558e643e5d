#!/usr/bin/env python3
"""Profiles of SDKs: what the smallest correct server breaks that is built with each version.

    profiles.py MCP_CONFORM [NAME | NAME@VERSION]...            install, judge, and write suite/analysis/sdks/
    profiles.py --again MCP_CONFORM [NAME | NAME@VERSION]...    judge once more: what fails once is broken
    profiles.py --check MCP_CONFORM [NAME | NAME@VERSION]...    compare with what is committed; exit 1 if something differs

NAME is a folder here, as npm.toml, pypi.toml and cargo.toml name it. Servers are installed into servers/installed/sdk/NAME/VERSION
(SDK_DIR overrides it), and judged in an empty folder, over stdio and over Streamable HTTP, in every revision. Needs Python 3.11,
Node 20 and Cargo, and nothing else running: what is observed of a server depends on how busy the machine is.
"""

import datetime
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROFILES = ROOT / "suite" / "analysis" / "sdks"
DEST = pathlib.Path(os.environ.get("SDK_DIR", HERE.parent / "installed" / "sdk"))
REGISTRIES = {"npm": "npm.toml", "pypi": "pypi.toml", "cargo": "cargo.toml"}


def sh(words, **more):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def install(registry, table, sdk, version):
    """Installs a server and returns its folder."""
    folder = DEST / sdk["name"] / version
    stamp = folder / ".installed"
    if not stamp.exists():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(HERE / sdk["name"], folder, ignore=shutil.ignore_patterns("target", "node_modules"))
        {"npm": npm, "pypi": pypi, "cargo": cargo}[registry](table, sdk, version, folder)
        stamp.touch()
    for file in (HERE / sdk["name"]).iterdir():
        if file.suffix in (".mjs", ".py"):
            shutil.copy(file, folder)
    if registry == "cargo":
        shutil.copytree(HERE / sdk["name"] / "src", folder / "src", dirs_exist_ok=True)
        sh(["cargo", "build", "--locked"], cwd=folder, env={**os.environ, "CARGO_TARGET_DIR": str(folder / "target")})
    return folder


def npm(table, sdk, version, folder):
    packages = [f"{sdk['package']}@{version}", *sdk.get("with", []), *sdk.get("companions", {}).get(version, [])]
    (folder / "package.json").write_text('{"private": true}\n')
    sh(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", f"--before={table['before']}", *packages], cwd=folder)


def pypi(_table, sdk, version, folder):
    python = os.environ.get("PYTHON", sys.executable)
    sh([python, "-m", "venv", "venv"], cwd=folder)
    sh(["venv/bin/pip", "install", "-q", "--no-deps", "-r", HERE / "locks" / sdk["name"] / f"{version}.txt"], cwd=folder)


def cargo(_table, sdk, version, folder):
    manifest = folder / "Cargo.toml"
    manifest.write_text(manifest.read_text().replace(sdk["manifest_version"], version))
    shutil.copy(HERE / "locks" / sdk["name"] / f"{version}.lock", folder / "Cargo.lock")


def command(words, folder, port=0):
    """The command with paths that hold in any folder."""
    words = [word.replace("{port}", str(port)) for word in words]
    if words[0] == "python":
        words[0] = "venv/bin/python"
    return [str(folder / word) if (folder / word).is_file() else word for word in words]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def judge(conform, target, reports):
    """Judges a server; what it breaks is no failure here."""
    with tempfile.TemporaryDirectory() as empty:
        words = [conform, "run", "--protocol", "all", "--seed", "1", "--fail-on", "never", "--quiet", "--reports", reports]
        sh([*map(str, words), *target], cwd=empty)
    return reports / "report.json"


def over_http(conform, words, folder, reports):
    port = free_port()
    with tempfile.TemporaryDirectory() as empty, open(reports.with_suffix(".log"), "w") as log:
        server = subprocess.Popen(command(words, folder, port), cwd=empty, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            until = time.monotonic() + 60
            while time.monotonic() < until and server.poll() is None:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            return judge(conform, [f"http://127.0.0.1:{port}/mcp"], reports)
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()


def profile(conform, registry, table, sdk, version, into, again):
    folder = install(registry, table, sdk, version)
    with tempfile.TemporaryDirectory() as scratch:
        scratch, reports = pathlib.Path(scratch), []
        for style in sdk["style"]:
            name = style["name"]
            reports.append(f"{name}={judge(conform, ['--', *command(style['stdio'], folder)], scratch / (name + '-stdio'))}")
            if "http" in style:
                reports.append(f"{name}={over_http(conform, style['http'], folder, scratch / (name + '-http'))}")
        package = f"{registry}:{sdk['package']}@{version}"
        file = pathlib.Path(registry, sdk["package"], f"{version}.toml")
        more = ["--with", str(PROFILES / file)] if again else []
        sh([str(conform), "sdk", "profile", *more, "--sdk", package, "--date", str(datetime.date.today()), "--into", str(into), *reports])
    return file


def steady(text, races):
    """A profile without its date and what takes a race."""
    profile = tomllib.loads(text)
    broken = {id: entry for id, entry in profile["broken"].items() if id not in races}
    held = [id for id in profile["held"] if id not in races]
    return {**profile, "date": None, "broken": broken, "held": held}


def compare(file, fresh):
    """Prints what differs from the committed profile, and returns whether something does."""
    if not (PROFILES / file).exists():
        print(f"{file}: not committed")
        return True
    old, new = (PROFILES / file).read_text(), (fresh / file).read_text()
    races = {id for id, entry in tomllib.loads(old)["broken"].items() if entry.get("varies")}
    if steady(old, races) == steady(new, races):
        return False
    done = subprocess.run(["diff", "-u", "--ignore-matching-lines=^date = ", PROFILES / file, fresh / file], capture_output=True, text=True)
    print(done.stdout[:4000])
    return True


def main(words):
    check, again = "--check" in words, "--again" in words
    words = [word for word in words if word not in ("--check", "--again")]
    if not words or words[0].startswith("-"):
        sys.exit(__doc__)
    conform, wanted = pathlib.Path(words[0]).resolve(), words[1:]
    failed = 0
    with tempfile.TemporaryDirectory() as fresh:
        into = pathlib.Path(fresh) if check else PROFILES
        for registry, file in REGISTRIES.items():
            table = tomllib.loads((HERE / file).read_text())
            for sdk in table["sdk"]:
                for version in sdk["versions"]:
                    if wanted and sdk["name"] not in wanted and f"{sdk['name']}@{version}" not in wanted:
                        continue
                    began = time.monotonic()
                    try:
                        made = profile(conform, registry, table, sdk, version, into, again)
                        bad = check and compare(made, into)
                    except (RuntimeError, OSError) as error:
                        print(error, file=sys.stderr)
                        bad = True
                    failed += bad
                    print(f"{'FAIL' if bad else 'ok  '} {sdk['name']} {version} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(min(failed, 1))


if __name__ == "__main__":
    main(sys.argv[1:])
