"""The JUnit report: written once, at the very end, when no process of the code under test is left."""

import os
import re
import sys
from xml.sax.saxutils import quoteattr

from . import snapshot

NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
REASON_MAX = 500


class Results:
    """By name of the test; one that was planned and has no result has failed."""

    def __init__(self):
        self.outcomes = {}

    def plan(self, name):
        self.outcomes.setdefault(name, ("failed", "it did not run to its end"))

    def record(self, name, outcome, reason=""):
        self.outcomes[name] = (outcome, reason)

    def exit_code(self):
        return 1 if any(outcome == "failed" for outcome, _ in self.outcomes.values()) else 0

    def text(self):
        counts = {kind: sum(1 for outcome, _ in self.outcomes.values() if outcome == kind)
                  for kind in ("failed", "skipped")}
        cases = "".join(test_case(name, *result) for name, result in self.outcomes.items())
        return (f'<testsuite name="hidden" tests="{len(self.outcomes)}" failures="{counts["failed"]}" '
                f'skipped="{counts["skipped"]}">{cases}</testsuite>')


def test_case(name, outcome, reason):
    body = {"passed": "", "failed": f"<failure message={quoted(reason)}/>", "skipped": "<skipped/>"}[outcome]
    return f"<testcase name={quoted(name)}>{body}</testcase>"


def quoted(text):
    return quoteattr(NOT_XML.sub("?", text[:REASON_MAX]))


def write(results, path):
    """Whatever lies there was written by the code under test, and is removed."""
    path = os.path.abspath(path)
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    try:
        os.chmod(folder, 0o755)
    except OSError:
        pass
    snapshot.remove(path)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(results.text())


def show(results):
    """For people; nothing is graded by it."""
    for name, (outcome, reason) in results.outcomes.items():
        print(f"{outcome}: {name}" + (f": {reason.splitlines()[0][:REASON_MAX]}" if reason else ""), file=sys.stderr)
