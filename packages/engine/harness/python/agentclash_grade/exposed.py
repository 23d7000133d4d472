"""Objects of tests that the code under test is given: what it may do with them."""

import functools
import inspect
import io
import operator
import types

from . import coroutines
from .library import is_test_module
from .proxies import RemoteObject, replace

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


OF_ALL = {"next": next, "iter": iter, "len": len, "bool": bool, "hash": hash, "eq": operator.eq, "ne": operator.ne, "signature": lambda target: parameters(target)}
OF_OBJECTS = {
    "str": lambda target: text(target, str), "repr": lambda target: text(target, repr), "getitem": operator.getitem, "setitem": operator.setitem, "delitem": operator.delitem, "contains": operator.contains,
    "int": int, "float": float, "abs": abs, "neg": operator.neg, "pos": operator.pos, "reversed": reversed,
    "enter": lambda target: target.__enter__(),
    "exit": lambda target, *error: target.__exit__(*of_error(*error)),
    "aenter": lambda target: target.__aenter__(), "aexit": lambda target, *error: target.__aexit__(*of_error(*error)), "aiter": lambda target: target.__aiter__(),
    "anext": lambda target: target.__anext__(),
}
for each in ("lt", "le", "gt", "ge", "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
    perform = getattr(operator, {"and": "and_", "or": "or_"}.get(each, each))
    OF_OBJECTS[each] = perform
    OF_OBJECTS["r" + each] = functools.partial(lambda perform, target, other: perform(other, target), perform)
NAMES = ("__name__", "__qualname__", "__doc__")


def parameters(target):
    """[name, kind, whether it has a default], without the values of the defaults."""
    found = inspect.signature(target).parameters.values()
    return [[each.name, int(each.kind), each.default is not each.empty] for each in found]


def text(target, kind):
    """That of a class with private fields would have them."""
    fields = getattr(target, "__dataclass_fields__", ())
    return f"<{type(target).__name__} of the test>" if any(each.startswith("_") for each in fields) else kind(target)


def of_error(error=None):
    return None if error is None else type(error), error, None


def operate(target, operation, arguments, has_members, placed):
    if not has_members and operation in ("str", "repr"):
        return f"<{getattr(target, '__qualname__', type(target).__name__)} of the test>"
    if not has_members or (operation in ("setitem", "delitem") and is_mock(target) and isinstance(target, list)):
        raise TypeError(f"agentclash-grade: a {type(target).__name__} of the test has no {operation} for the code under test")
    if operation == "setitem":
        arguments = (arguments[0], placed.item(target, *arguments))
    return OF_OBJECTS[operation](target, *arguments)


def call_exposed(target, operation, name, arguments, named, placed):
    """What the code may do with an object of a test: call it, iterate over it, and use its public members.
    `placed.member(target, name, value)` is the value as it may be set."""
    if operation == "call":
        return target(*arguments, **named)
    if operation == "await":
        return coroutines.run(target)
    if operation in OF_ALL:
        return OF_ALL[operation](target, *arguments)
    has_members = is_of_tests(target) or isinstance(target, FILES)
    if operation in OF_OBJECTS:
        return operate(target, operation, arguments, has_members, placed)
    if operation == "get" and name in NAMES and isinstance(target, (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)):
        return getattr(target, name)
    if not has_members or not isinstance(name, str) or name.startswith("_"):
        raise AttributeError(f"agentclash-grade: the code under test has no access to {name} of a {type(target).__name__} of the test")
    if operation == "set":
        refuse_method(target, name)
        return setattr(target, name, placed.member(target, name, arguments[0]))
    # Methods of the lists of calls change them.
    if is_mock(target) and (name in RESETTING or isinstance(target, list)):
        raise AttributeError(f"{name} of a mock of the test cannot be used")
    value = getattr(target, name)
    if operation == "replace":
        if isinstance(inspect.getattr_static(type(target), name, None), property):
            raise AttributeError(f"agentclash-grade: {name} of an object of the test is a property, whose content cannot be changed")
        return replace(value, placed.content(target, name, value, arguments[0]))
    if operation == "get" and not isinstance(value, NEVER):
        return value
    raise AttributeError(name)
