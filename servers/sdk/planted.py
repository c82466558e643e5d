#!/usr/bin/env python3
"""Mistakes planted in the smallest servers, which a run has to show as the author's own; and the servers as they are, of which nothing is.

    planted.py MCP_CONFORM [NAME]...    NAME: a folder here; all that planted.toml names otherwise

Exit 1 if a planted mistake is not found, or is taken for the SDK's. Needs what profiles.py needs.
"""

import json
import pathlib
import sys
import tempfile
import tomllib

from profiles import HERE, REGISTRIES, command, install, sh


def servers():
    """The servers by name: registry, table and entry."""
    tables = ((registry, tomllib.loads((HERE / file).read_text())) for registry, file in REGISTRIES.items())
    return {sdk["name"]: (registry, table, sdk) for registry, table in tables for sdk in table["sdk"]}


def judged(conform, words):
    with tempfile.TemporaryDirectory() as empty:
        sh([str(conform), "run", "--seed", "1", "--fail-on", "never", "--quiet", "--reports", "reports", "--", *words], cwd=empty)
        return json.loads(pathlib.Path(empty, "reports", "report.json").read_text())


def own(report):
    """The violations of each cause that is the author's."""
    levels = {entry["id"]: entry["level"] for entry in report["requirements"]}
    causes = (cause for cause in report["causes"] if cause["origin"] == "own")
    return [[id for id in cause["requirements"] if levels[id] != "advice"] for cause in causes]


def plant(folder, defect):
    """Writes the changed file beside the original, where it finds the same packages, and returns its name."""
    text = (folder / defect["file"]).read_text()
    if text.count(defect["find"]) != 1:
        raise RuntimeError(f"{defect['file']} has {text.count(defect['find'])} times: {defect['find']}")
    file = folder / f"planted-{defect['file']}"
    file.write_text(text.replace(defect["find"], defect["put"]))
    return file.name


def run(conform, folder, style, file):
    words = [file if word == style["stdio"][-1] else word for word in style["stdio"]]
    return judged(conform, command(words, folder))


def check(conform, sdk, folder, defects):
    """Prints a line for each run, and returns how many went wrong."""
    failed = 0
    for style in sdk["style"]:
        file = style["stdio"][-1]
        found = own(run(conform, folder, style, file))
        failed += tell(not found, f"{sdk['name']} {file}: as it is", found)
        for defect in (defect for defect in defects if defect["file"] == file):
            found = own(run(conform, folder, style, plant(folder, defect)))
            good = any(defect["breaks"] in cause for cause in found)
            failed += tell(good, f"{sdk['name']} {file}: {defect['name']}", found)
    return failed


def tell(good, what, found):
    print(f"{'ok  ' if good else 'FAIL'} {what}: own: {'; '.join(', '.join(cause) for cause in found) or 'nothing'}", flush=True)
    return not good


def main(words):
    if not words:
        sys.exit(__doc__)
    conform, wanted = pathlib.Path(words[0]).resolve(), words[1:]
    defects = tomllib.loads((HERE / "planted.toml").read_text())["defect"]
    failed = 0
    for name in dict.fromkeys(defect["server"] for defect in defects):
        if wanted and name not in wanted:
            continue
        registry, table, sdk = servers()[name]
        installed = install(registry, table, sdk, sdk["versions"][0])
        failed += check(conform, sdk, installed, [defect for defect in defects if defect["server"] == name])
        for planted in installed.glob("planted-*"):
            planted.unlink()
    sys.exit(min(failed, 1))


if __name__ == "__main__":
    main(sys.argv[1:])
