"""Compares a summary with the expected one and prints a metric for each of its members."""
import json
import os
import stat
import sys

BYTES_MAX = 65536


def read_output(path):
    """The file that the agent left. A link could lead to the expected values, a pipe or a device has no end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a plain file")
        return json.loads(file.read(BYTES_MAX))


given_path, expected_path = sys.argv[1:]
with open(expected_path) as file:
    expected = json.load(file)
try:
    given = read_output(given_path)
except (OSError, ValueError, RecursionError):
    given = None
if not isinstance(given, dict):
    given = {}

totals = 1 if given.get("total") == expected["total"] else 0
names = given.get("customers")
names = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
found = len(set(names) & set(expected["customers"]))
customers = 1 if names == expected["customers"] else 0.5 * found / max(len(expected["customers"]), len(names))
print(json.dumps({"reward": min(totals, customers), "totals": totals, "customers": customers}))
