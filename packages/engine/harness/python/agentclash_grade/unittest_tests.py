"""Tests of unittest, in the judge; the code under test is imported in a process of its own."""

import importlib
import io
import os
import unittest

from . import modules, snapshot


def run(grading):
    tests = grading.tests
    snapshot.install(tests, grading.roots, grading.link)
    tests.restore_names()
    suite = unittest.TestSuite()
    for path in tests.matching(lambda name: name.startswith("test") and name.endswith(".py")):
        loaded = load(path, grading)
        if loaded is not None:
            suite.addTest(loaded)
    modules.COLLECTING["now"] = False
    # A test that was planned has failed unless its own end is recorded.
    suite.run(Recorder(grading.results))


def load(path, grading):
    tests, results = grading.tests, grading.results
    name = tests.module_name(path)
    try:
        loaded = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(name))
        for test in flat(loaded):
            results.plan(test.id())
        if loaded.countTestCases() > 0:
            return loaded
        reason = "it has no tests"
    except BaseException as error:
        reason = f"{type(error).__name__}: {error}"
    for each in tests.test_names(path) or [os.path.basename(path)]:
        results.record(f"{name}.{each}", "failed", reason)
    return None


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


class Recorder(unittest.TestResult):
    def __init__(self, results):
        super().__init__(io.StringIO(), False, 0)
        self.results = results
        self.failed = {}

    def startTest(self, test):
        super().startTest(test)
        self.failed.pop(test.id(), None)

    def stopTest(self, test):
        super().stopTest(test)
        name = test.id()
        self.results.record(name, *self.failed.pop(name, ("passed", "")))

    def fail(self, test, error):
        self.failed[test.id()] = ("failed", f"{error[0].__name__}: {error[1]}")

    def addError(self, test, err):
        self.fail(test, err)

    def addFailure(self, test, err):
        self.fail(test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.fail(test, err)

    def addSkip(self, test, reason):
        # A whole class that is skipped has no start and no end.
        self.results.record(test.id(), "skipped")
        self.failed[test.id()] = ("skipped", "")

    def addUnexpectedSuccess(self, test):
        self.failed[test.id()] = ("failed", "an unexpected success")

    def addExpectedFailure(self, test, err):
        self.failed[test.id()] = ("skipped", "")
