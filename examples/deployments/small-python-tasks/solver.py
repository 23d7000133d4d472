"""A program agent: reads the task, writes the function it knows under that name, reports what it did."""

import importlib
import inspect
import json
import os
import sys

task = json.load(open(os.environ["AGENTCLASH_TASK"], encoding="utf-8"))
name = task["payload"]["function"]
known = importlib.import_module(sys.argv[1])

# A solution is a module's function together with the imports and constants that the module begins with.
source = inspect.getsource(known)
header = source.split("\ndef ", 1)[0]
with open("solution.py", "w", encoding="utf-8") as file:
    file.write(header + "\n\n" + inspect.getsource(getattr(known, name)))

print(f"Wrote {name} to solution.py.")
