"""Tests of pytest, in the judge; the code under test is imported in a process of its own."""

import importlib.util
import os

from . import modules, proxies, snapshot
from .errors import SetupFailed

FLAGS = ["-q", "-c", os.devnull, "--assert=plain", "--import-mode=prepend", "--tb=no", "--continue-on-collection-errors",
         "-p", "no:cacheprovider", "-p", "no:faulthandler", "-o", "addopts="]


def run(grading):
    # An error of the import itself may be one of memory.
    if importlib.util.find_spec("pytest") is None:
        raise SetupFailed("pytest is not installed: add python3-pytest to additional_packages of the sandbox")
    import pytest
    tests, results = grading.tests, grading.results
    snapshot.install(tests, grading.roots, grading.link)
    tests.restore_names()
    paths = tests.matching(is_test_file)
    if not paths:
        raise SetupFailed(f"no file of {tests.root} is named test_*.py or *_test.py")
    plugin = Plugin(results)
    pytest.main([*FLAGS, f"--rootdir={tests.folder}", f"--confcutdir={tests.folder}", *paths], plugins=[plugin])
    for path in paths:
        if path in plugin.seen:
            continue
        # None of its tests was found: what keeps a file from being imported fails all of them.
        name = tests.module_name(path)
        for each in tests.test_names(path) or [os.path.basename(path)]:
            results.record(f"{name}.{each}", "failed", plugin.errors.get(path, "its tests were not collected"))


def is_test_file(name):
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


class Plugin:
    def __init__(self, results):
        self.results = results
        self.seen, self.errors, self.outcomes = set(), {}, {}

    def pytest_collectreport(self, report):
        if report.failed:
            path = str(getattr(report, "fspath", "") or report.nodeid)
            self.errors[path] = str(report.longrepr)[-300:]

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if not isinstance(getattr(item, "obj", None), proxies.RemoteObject)]

    def pytest_collection_finish(self, session):
        for item in session.items:
            self.seen.add(str(item.fspath))
            self.results.plan(item.nodeid)
        modules.COLLECTING["now"] = False

    def pytest_runtest_logreport(self, report):
        """A test has passed when its set-up, its call and its tear-down have."""
        phases = self.outcomes.setdefault(report.nodeid, {})
        phases[report.when] = report.outcome
        if report.failed:
            self.results.record(report.nodeid, "failed", str(report.longrepr)[-300:])
            phases["failed"] = True
        elif "failed" not in phases:
            if report.skipped:
                self.results.record(report.nodeid, "skipped")
                phases["skipped"] = True
            elif report.when == "teardown" and phases.get("call") == "passed" and "skipped" not in phases:
                self.results.record(report.nodeid, "passed")
