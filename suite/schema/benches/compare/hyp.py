"""hypothesis-jsonschema, driven like the others: JSON Lines of {"schema": .., "each": N} in, {"instances": [..]} out."""
import json
import signal
import sys
import warnings

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis_jsonschema import from_schema

warnings.simplefilter("ignore")


def draw(schema, each, found):
    @seed(1)
    @settings(max_examples=each, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(from_schema(schema))
    def collect(instance):
        found.append(instance)

    collect()


def stop(*_):
    raise TimeoutError


signal.signal(signal.SIGVTALRM, stop)
for line in sys.stdin:
    asked, found = json.loads(line), []
    signal.setitimer(signal.ITIMER_VIRTUAL, 10)
    try:
        draw(asked["schema"], asked["each"], found)
    except BaseException:
        pass
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    print(json.dumps({"instances": found}), flush=True)
