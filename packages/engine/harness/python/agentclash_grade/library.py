"""Functions and classes that are of no test: the process of the code under test imports them for itself.

Called in the judge they would do there what the code wants: read files, load objects, run programs."""

import builtins
import functools
import importlib
import sys
import types

METHOD_OF_TYPE = (type(str.lower), type(str.__len__), type(dict.__dict__["fromkeys"]))


def is_test_module(name):
    return "__agentclash_test__" in getattr(sys.modules.get(name), "__dict__", {})


def reference(value):
    """[module, names…] of what the code imports for itself; None of what belongs to a test. Raises TypeError for the rest."""
    # The one of the judge has the files of the tests.
    if value is builtins.open:
        return ["builtins", "open"]
    if isinstance(value, functools.partial):
        if reference(value.func) is not None:
            raise TypeError("agentclash-grade: give a function of the test in place of functools.partial")
        return None
    described = describe(value)
    if described is None:
        return None
    module, names = described
    found = sys.modules.get(module)
    for name in names:
        found = getattr(found, name, None)
    if found is not value and found != value:
        raise TypeError(f"agentclash-grade: {'.'.join([module, *names])} cannot be given to the code under test")
    return [module, *names]


def describe(value):
    """The module and the qualified name of a function or class of a library."""
    if isinstance(value, types.FunctionType):
        # create_autospec makes functions, whose globals are none of a module.
        is_mock = type(vars(value).get("mock")).__module__ == "unittest.mock"
        if is_mock or "__agentclash_test__" in value.__globals__:
            return None
        return str(value.__globals__.get("__name__")), value.__qualname__.split(".")
    if isinstance(value, type):
        return None if is_test_module(value.__module__) else (value.__module__, value.__qualname__.split("."))
    if isinstance(value, METHOD_OF_TYPE):
        return value.__objclass__.__module__, [*value.__objclass__.__qualname__.split("."), value.__name__]
    if isinstance(value, (types.BuiltinFunctionType, types.MethodType)):
        owner = value.__self__
        if owner is None or isinstance(owner, types.ModuleType):
            return value.__module__ or "builtins", value.__qualname__.split(".")
        if isinstance(owner, type) and not is_test_module(owner.__module__):
            return owner.__module__, [*owner.__qualname__.split("."), value.__name__]
    return None


def resolve(path):
    """In the process of the code."""
    module, *names = path
    found = builtins if module == "builtins" else importlib.import_module(module)
    for name in names:
        found = getattr(found, name)
    return found
