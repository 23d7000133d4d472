"""Objects of tests that the code under test is given: what it may do with them."""

import inspect
import io
import types

from .library import is_test_module

EXPOSED = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.GeneratorType)
FILES = (io.StringIO, io.BytesIO)
# Types whose objects lead, by public names, to what the tests know.
NEVER = (types.ModuleType, types.FrameType, types.TracebackType, types.CodeType, BaseException)


def is_of_tests(value):
    """True for objects of classes that a test defines, and for mocks: their public members may be used by the code."""
    module = type(value).__module__
    return is_test_module(module) or module == "unittest.mock"


def is_exposable(value):
    if isinstance(value, NEVER):
        return False
    return isinstance(value, (*EXPOSED, *FILES, type)) or is_of_tests(value) or callable(value) or hasattr(value, "__next__")


# Methods by which a mock forgets what it has seen, or is made to agree.
RESETTING = ("attach_mock", "configure_mock", "mock_add_spec", "reset_mock")


def refuse_method(target, name):
    """Data of an object of a test may be set, its methods not: they verify what the code has done."""
    of_class = inspect.getattr_static(type(target), name, None)
    is_mock = type(target).__module__ == "unittest.mock"
    if is_mock and (of_class is not None or name.startswith("assert")):
        raise AttributeError(f"{name} of a mock of the test cannot be set")
    if isinstance(of_class, property):
        return
    if callable(of_class) or isinstance(of_class, (staticmethod, classmethod)) or callable(vars_of(target).get(name)):
        raise AttributeError(f"{name} is a method of an object of the test, which cannot be set")


def vars_of(target):
    return getattr(target, "__dict__", {})


def call_exposed(target, operation, name, arguments, named):
    """What the code may do with an object of a test: call it, iterate over it, and use its public members."""
    if operation == "call":
        return target(*arguments, **named)
    if operation in ("next", "iter", "len"):
        return {"next": next, "iter": iter, "len": len}[operation](target)
    has_members = is_of_tests(target) or isinstance(target, FILES)
    if operation == "getitem" and has_members:
        return target[arguments[0]]
    if operation in ("enter", "exit") and has_members:
        return target.__enter__() if operation == "enter" else target.__exit__(None, None, None)
    if not has_members or not isinstance(name, str) or name.startswith("_"):
        raise AttributeError(str(name))
    if operation == "set":
        refuse_method(target, name)
        return setattr(target, name, arguments[0])
    if name in RESETTING and type(target).__module__ == "unittest.mock":
        raise AttributeError(f"{name} of a mock of the test cannot be used")
    value = getattr(target, name)
    if operation == "get" and not isinstance(value, NEVER):
        return value
    raise AttributeError(name)
