"""Objects of tests that the code under test is given: what it may do with them."""

import inspect
import io
import types

from .library import is_test_module
from .proxies import RemoteObject

EXPOSED = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.GeneratorType)
FILES = (io.StringIO, io.BytesIO)
# Types whose objects lead, by public names, to what the tests know.
NEVER = (types.ModuleType, types.FrameType, types.TracebackType, types.CodeType, BaseException)


def is_of_tests(value):
    """True for objects of classes that a test defines, and for mocks: their public members may be used by the code."""
    return is_test_module(type(value).__module__) or is_mock(value)


def is_mock(value):
    return type(value).__module__ == "unittest.mock"


def is_exposable(value):
    if isinstance(value, NEVER):
        return False
    return isinstance(value, (*EXPOSED, *FILES, type)) or is_of_tests(value) or callable(value) or hasattr(value, "__next__")


# Methods by which a mock forgets what it has seen, or is made to agree.
RESETTING = ("attach_mock", "configure_mock", "mock_add_spec", "reset_mock")


def refuse_method(target, name):
    """Data of an object of a test may be set, its methods not: they verify what the code has done."""
    of_class = inspect.getattr_static(type(target), name, None)
    if is_mock(target) and is_of_mocks(target, name):
        raise AttributeError(f"{name} of a mock of the test cannot be set")
    if isinstance(of_class, property):
        return
    of_object = vars_of(target).get(name)
    is_method = callable(of_object) and not isinstance(of_object, RemoteObject)
    if callable(of_class) or isinstance(of_class, (staticmethod, classmethod)) or is_method:
        raise AttributeError(f"{name} is a method of an object of the test, which cannot be set")


def is_of_mocks(target, name):
    """True for what a mock records, verifies and gives."""
    is_own = inspect.getattr_static(type(target), name, None) is not None
    return is_own or name == "method_calls" or name.startswith("assert")


def vars_of(target):
    return getattr(target, "__dict__", {})


PLAIN_OPERATIONS = {"next": next, "iter": iter, "len": len, "bool": bool}


def call_exposed(target, operation, name, arguments, named, placed):
    """What the code may do with an object of a test: call it, iterate over it, and use its public members.
    `placed(target, name, value)` is the value as it may be set."""
    if operation == "call":
        return target(*arguments, **named)
    if operation in PLAIN_OPERATIONS:
        return PLAIN_OPERATIONS[operation](target)
    has_members = is_of_tests(target) or isinstance(target, FILES)
    if operation == "getitem" and has_members:
        return target[arguments[0]]
    if operation in ("enter", "exit") and has_members:
        return target.__enter__() if operation == "enter" else target.__exit__(None, None, None)
    if not has_members or not isinstance(name, str) or name.startswith("_"):
        raise AttributeError(str(name))
    if operation == "set":
        refuse_method(target, name)
        return setattr(target, name, placed(target, name, arguments[0]))
    # Methods of the lists of calls change them.
    if is_mock(target) and (name in RESETTING or isinstance(target, list)):
        raise AttributeError(f"{name} of a mock of the test cannot be used")
    value = getattr(target, name)
    if operation == "get" and not isinstance(value, NEVER):
        return value
    raise AttributeError(name)
