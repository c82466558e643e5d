"""Reads the files of a reports folder with readers that others wrote: JUnit, SARIF, GitLab's code quality, the badge.

formats.py REPORTS
"""
import json
import sys

import jsonschema
import junitparser
from sarif import loader

folder = sys.argv[1]
report = json.load(open(f"{folder}/report.json"))
runs = report.get("runs", [report])
entries = [entry for run in runs for entry in run["requirements"]]
failed = sum(entry["status"] == "fail" for entry in entries)
findings = [finding for entry in entries for finding in entry["findings"]]

suites = junitparser.JUnitXml.fromfile(f"{folder}/report.xml")
assert (suites.tests, suites.failures) == (len(entries), failed), (suites.tests, suites.failures)
assert sum(len(suite) for suite in suites) == len(entries)

facts = sum(len(run.get("hosts", [])) for run in runs)
results = loader.load_sarif_file(f"{folder}/report.sarif").get_results()
assert len(results) == min(len(findings), 5000 * len(runs)) + facts, len(results)

# What GitLab documents of a code-quality report.
quality = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!/|\\./)"},
                    "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}},
                },
            },
        },
    },
}
degradations = json.load(open(f"{folder}/gl-code-quality-report.json"))
jsonschema.validate(degradations, quality)
prints = {one["fingerprint"] for one in degradations}
assert len(prints) == len(degradations) and bool(prints) == bool(findings)

badge = json.load(open(f"{folder}/badge.json"))
assert badge["schemaVersion"] == 1 and badge["label"] and badge["message"], badge
print(f"{len(entries)} requirements, {failed} broken, {len(findings)} findings: JUnit, SARIF, GitLab and badge are read")
