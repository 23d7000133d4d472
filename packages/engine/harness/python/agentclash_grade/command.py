"""The command line: agentclash-grade ADAPTER --tests PATH [--code PATH …] [-- COMMAND …]"""

import argparse
import os
import sys

from .errors import SetupFailed, Ungraded
from . import calls, cases, go_tests, modules, node_tests, pytest_tests, protection, remote, report, rust_tests, snapshot, unittest_tests

REPORT = "/grader/report.xml"
ADAPTERS = {
    "pytest": pytest_tests.run,
    "unittest": unittest_tests.run,
    "calls": calls.run,
    "cases": cases.run,
    "node_test": node_tests.run,
    "go_test": go_tests.run,
    "cargo_test": rust_tests.run,
}
# Codes that other programs do not end with. An attempt is not graded after the first, and fails after the second.
SETUP_FAILED, UNGRADED = 121, 120


def arguments_of(words):
    parser = argparse.ArgumentParser(prog="agentclash-grade", allow_abbrev=False, description=__doc__)
    parser.add_argument("adapter", choices=[*ADAPTERS])
    parser.add_argument("--tests", required=True, help="a file or folder, from /grader")
    parser.add_argument("--code", action="append", default=[], help="a file or package, from the working directory")
    parser.add_argument("--function", help="for calls: the function of the code")
    parser.add_argument("--report", default=REPORT, help="where the JUnit report is written; default: %(default)s")
    parser.add_argument("--cpu-seconds", type=float, default=10, help="of one call or case; default: %(default)s")
    parser.add_argument("--trust", action="append", default=[], choices=["equality", "arguments"],
                        help="what the code under test may decide")
    at = words.index("--") if "--" in words else len(words)
    try:
        options = parser.parse_args(words[:at])
    except SystemExit as end:
        raise SystemExit(SETUP_FAILED if end.code else 0) from None
    options.command = words[at + 1:]
    return options


def main(words):
    options = arguments_of(words)
    protection.protect()
    tests = snapshot.Snapshot(os.path.join(snapshot.GRADER, options.tests))
    # Tests in the workspace are the agent's to remove and to change.
    setup_failed = SETUP_FAILED if tests.root.startswith(snapshot.GRADER + os.sep) else UNGRADED
    if not tests.files:
        raise SystemExit(fail(f"there are no tests at {tests.root}", setup_failed))
    roots, folders = snapshot.code_roots(options.code)
    link = remote.Link(folders, options.cpu_seconds, options.trust)
    tests.remove()
    snapshot.remove(options.report)
    results = report.Results()
    prepare = ADAPTERS[options.adapter]
    try:
        modules.COLLECTING["now"] = True
        prepare(Grading(options, tests, roots, link, results))
    except (SetupFailed, Ungraded) as error:
        link.end()
        raise SystemExit(fail(str(error), setup_failed if isinstance(error, SetupFailed) else UNGRADED)) from None
    except SystemExit as error:
        # Of the code under test, by way of a test: the code of this exit is never its choice.
        protection.end_unforeseen(type(error), error, None)
    link.end()
    report.write(results, options.report)
    report.show(results)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(results.exit_code())



class Grading:
    def __init__(self, options, tests, roots, link, results):
        self.options, self.tests, self.roots, self.link, self.results = options, tests, roots, link, results


def fail(message, code):
    print("agentclash-grade:", message, file=sys.stderr)
    return code
