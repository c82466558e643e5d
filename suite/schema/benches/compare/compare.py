"""Instance generators on the same schemas: those of the JSON-Schema-Test-Suite that it shows a valid instance of, and the
schemas of a folder (of real tools, say). A Python validator that none of them uses judges every instance; formats are not
asserted. Instances a second are those of the processor that the generator's process used (as Linux tells it), after a first
schema that is not counted.

    python3 compare.py SUITE [--schemas FOLDER] [--corpus NAME]... NAME[:EACH]=COMMAND...

for instance ours="cargo run -q --example draw", hypothesis:10="python3 hyp.py", faker="node jsf.mjs",
noson="crates/target/debug/compare-crates noson"; EACH is how many instances are asked for, 50 if it is not given. all.py
fetches, builds and runs all of them. Versions: requirements.txt, package.json, crates/Cargo.toml.
"""
import argparse
import json
import os
import pathlib
import queue
import shlex
import subprocess
import threading
import warnings

import jsonschema
from jsonschema.validators import validator_for

warnings.simplefilter("ignore")
DRAFTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
LIMIT = 180


class Program:
    """A generator's process, started again when it hangs or falls."""

    def __init__(self, command):
        self.command, self.process, self.before = shlex.split(command), None, 0.0

    def start(self):
        self.before = 0.0
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, args=(self.process.stdout, self.lines), daemon=True).start()

    def spent(self):
        """Seconds of the processor since the last time this was asked."""
        if self.process is None:
            return 0.0
        # The name, in parentheses, may hold spaces.
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        now = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        spent, self.before = now - self.before, now
        return spent

    @staticmethod
    def read(stream, lines):
        for line in stream:
            lines.put(line)
        lines.put(None)

    def ask(self, question):
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            line = self.lines.get(timeout=LIMIT)
            if line is not None:
                return json.loads(line)
        except (queue.Empty, BrokenPipeError, ValueError):
            pass
        self.process.kill()
        self.process.wait()
        self.process = None
        return None


def corpora(suite, folder):
    for draft, uri in DRAFTS.items():
        schemas = []
        for file in sorted((suite / "tests" / draft).glob("*.json")):
            for group in json.loads(file.read_text()):
                schema = group["schema"]
                # What lies on another server is out of reach of some of them.
                if any(test["valid"] for test in group["tests"]) and "localhost:1234" not in json.dumps(schema):
                    schemas.append({"$schema": uri, **schema} if isinstance(schema, dict) else schema)
        yield draft, uri, schemas
    if folder:
        files = sorted(folder.glob("*.json"))
        yield "schemas", DRAFTS["draft2020-12"], [json.loads(file.read_text()) for file in files]


def judge(uri, schema, instances):
    cls = validator_for(schema if isinstance(schema, dict) else {}, default=validator_for({"$schema": uri}))
    wrong = 0
    for instance in instances:
        try:
            wrong += not cls(schema).is_valid(instance)
        except Exception:  # a pattern that Python cannot read judges nothing
            pass
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("suite", type=pathlib.Path)
    parser.add_argument("--schemas", type=pathlib.Path)
    parser.add_argument("--corpus", action="append", help="only this one; repeatable")
    parser.add_argument("programs", nargs="+")
    args = parser.parse_args()
    print(f"{'corpus':14}{'generator':18}{'schemas':>8}{'reached':>8}{'clean':>8}{'hung':>6}{'made':>8}{'wrong':>7}{'a second':>10}")
    for corpus, uri, schemas in corpora(args.suite, args.schemas):
        if args.corpus and corpus not in args.corpus:
            continue
        for given in args.programs:
            name, _, command = given.partition("=")
            name, _, each = name.partition(":")
            program = Program(command)
            reached = clean = hung = made = wrong = 0
            seconds = 0.0
            program.ask({"schema": {}, "dialect": uri, "each": 1})
            program.spent()
            for schema in schemas:
                answer = program.ask({"schema": schema, "dialect": uri, "each": int(each or 50)})
                seconds += program.spent()
                if answer is None:
                    hung += 1
                    continue
                refused = judge(uri, schema, answer["instances"])
                reached += bool(answer["instances"])
                clean += bool(answer["instances"]) and not refused
                made += len(answer["instances"])
                wrong += refused
            rate = made / seconds if seconds else 0
            print(f"{corpus:14}{name:18}{len(schemas):>8}{reached:>8}{clean:>8}{hung:>6}{made:>8}{wrong:>7}{rate:>10.0f}", flush=True)
            if program.process:
                program.process.kill()


main()
