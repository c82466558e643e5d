"""Runs the `run:` steps of action.yml and the script of the GitLab template as the runners do: inputs as environment, bash with -e and
pipefail, a fresh home that holds the binary. What only GitHub has (the cache, the upload) is left out; that its file is there is looked at.

action.py MCP-CONFORM      (takes PyYAML, which pre-commit brings along)
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
CONFORM = pathlib.Path(sys.argv[1]).resolve()
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
GITLAB = yaml.safe_load((ROOT / "templates/mcp-conform.gitlab-ci.yml").read_text())["mcp-conform"]
FAULT = "tools.call.unknown-tool"


class Checkout:
    """A scratch checkout with the binary where the action looks for it."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="mcp conform "))
        binary = self.path / "home/.mcp-conform/bin"
        binary.mkdir(parents=True)
        (binary / "mcp-conform").symlink_to(CONFORM)
        (self.path / "work/sub").mkdir(parents=True)

    def run(self, script, folder, env, shell=("bash", "--noprofile", "--norc", "-eo", "pipefail")):
        base = {"PATH": os.environ["PATH"], "HOME": str(self.path / "home")}
        done = subprocess.run([*shell, "-c", script], cwd=self.path / "work" / folder, env=base | env, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout + done.stderr


def action(checkout, given):
    """The steps with these inputs: exit code of the run, what it said, summary, outputs."""
    inputs = {name: given.get(name, one["default"]) for name, one in ACTION["inputs"].items()}
    assert set(given) <= set(inputs), "an input that does not exist"
    values = {f"inputs.{name}": value for name, value in inputs.items()} | {"github.action_path": str(ROOT)}
    fill = lambda text: re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: values[found[1]], text)
    output, summary = checkout.path / "output", checkout.path / "summary"
    code, said = 0, ""
    for file in (output, summary):
        file.write_text("")
    for step in ACTION["runs"]["steps"]:
        # As if the cache had the program: how it is fetched is tested beside packaging/release/fetch.
        if "run" not in step or "cache-hit" in step.get("if", ""):
            continue
        env = {name: fill(text) for name, text in step.get("env", {}).items()}
        env |= {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_ACTIONS": "true"}
        ended, text = checkout.run(step["run"], fill(step.get("working-directory", ".")), env)
        # Steps after a failed one run only if they say always().
        assert code == 0 or "always()" in step["if"]
        if step.get("id") == "run":
            code, said = ended, text
        else:
            assert ended == 0, f"{step.get('id')}: {text}"
    outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
    sarif = next(step["with"]["sarif_file"] for step in ACTION["runs"]["steps"] if "sarif" in step.get("uses", ""))
    return code, said, summary.read_text(), outputs, checkout.path / "work" / fill(sarif)


def github(checkout):
    serve = f"'{CONFORM}' serve --transport stdio"
    few = {"args": "--only tools.call.*\n--cases 0", "protocol": "2025-11-25"}
    (checkout.path / "work/tools.call.a").write_text("a name that --only would become if it were expanded")
    clean = action(checkout, few | {"target": serve})
    assert clean[0] == 0 and "tools.call" not in clean[2].split("\n")[0], clean[1]
    report = json.loads((checkout.path / "work" / clean[3]["report"]).read_text())
    assert report["summary"]["pass"] > 5 and clean[4].is_file() and "conforms" in clean[2].lower(), clean[2]
    assert re.fullmatch(r"[0-9]+-[0-9]+", clean[3]["sum"]), clean[3]

    broken = few | {"target": f"{serve} --fault {FAULT}", "working-directory": "sub", "reports": "out put"}
    code, said, summary, outputs, sarif = action(checkout, broken)
    assert code == 1 and FAULT in summary and f"title={FAULT}" in said, said
    assert outputs["report"] == "sub/out put/report.json" and (checkout.path / "work" / outputs["report"]).is_file()
    assert json.loads(sarif.read_text())["runs"][0]["results"], "no alert"
    assert action(checkout, broken | {"fail-on": "never"})[0] == 0

    known = broken | {"baseline": "known.toml"}
    assert action(checkout, known | {"args": few["args"] + " --update-baseline"})[0] == 0
    code, said, *_ = action(checkout, known)
    assert code == 0 and "::error" not in said, said
    stale = action(checkout, known | {"target": serve})
    assert stale[0] == 1 and "stale" in stale[1], stale[1]

    shutil.rmtree(checkout.path / "work/reports")
    missing = action(checkout, {"target": "/no/such/server"})
    assert missing[0] == 3 and missing[4].is_file(), "a server that does not start leaves a SARIF file to upload"


def gitlab(checkout):
    program = checkout.path / "home/mcp-conform"
    program.symlink_to(CONFORM)
    # The shell splits it into words, as it does with the command of a registry.
    env = GITLAB["variables"] | {"MCP_CONFORM": "env -- mcp-conform", "PATH": f"{program.parent}:{os.environ['PATH']}"}
    (checkout.path / "work/mcp-conform.toml").write_text(f"target = ['{CONFORM}', 'serve', '--fault', '{FAULT}']\n")
    script = " && ".join(GITLAB["script"])
    assert checkout.run(script, ".", env, ("sh", "-e"))[0] == 1
    for path in [*GITLAB["artifacts"]["reports"].values(), *GITLAB["artifacts"]["paths"]]:
        assert (checkout.path / "work" / path).exists(), path
    assert checkout.run(script, ".", env | {"MCP_CONFORM_TARGET": f"'{CONFORM}' serve"}, ("sh", "-e"))[0] == 0


checkout = Checkout()
try:
    github(checkout)
    gitlab(checkout)
finally:
    shutil.rmtree(checkout.path)
print("action.yml and the GitLab template: clean, broken, baseline, stale, no server")
