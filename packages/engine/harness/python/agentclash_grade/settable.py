"""Values of the code in the place of members of a test's object: none whose members the code decides may be taken for what
the test looks for there."""

import collections
import inspect
import types

from . import containers
from .exposed import is_mock, is_of_mocks, is_of_tests, vars_of
from .members import RemoteMember
from .proxies import RemoteObject

SEQUENCES = (list, tuple, set, frozenset, collections.deque)


class OfCode(Exception):
    """The value holds an object of the code."""


def member(target, name, value):
    """The value as the code may set it. Raises AttributeError, with the reason."""
    if not is_mock(target):
        existing = inspect.getattr_static(target, name, None)
        if has_object_of_tests(existing) and not is_of_tests(value):
            try:
                return plain(value, is_strict=True)
            except OfCode:
                raise AttributeError(
                    f"agentclash-grade: {name} is an object of the test, which an object of the code cannot replace: "
                    "use the object that is there, or set plain data") from None
        return value
    # A mock makes its members when they are read: whether the test will look for one is not known before.
    is_replaced = is_of_tests(value) and name in vars_of(target).get("_mock_children", ())
    try:
        if is_replaced:
            raise OfCode
        return plain(value, fields=lambda field: not is_of_mocks(target, field))
    except OfCode:
        raise AttributeError(
            f"agentclash-grade: {name} of a mock of the test cannot be set to an object of the code, nor to a container that "
            "holds one: set it to plain data") from None


def item(target, key, value):
    """As `member`, of a list or dict whose class the test defines."""
    base = next((base for base in (list, dict) if isinstance(target, base)), None)
    try:
        existing = None if base is None else base.__getitem__(target, key)
    except (KeyError, IndexError, TypeError):
        existing = None
    return content(target, key, [existing], [value])[0]


def content(target, name, existing, new):
    """What a list, dict or set of a test's object is changed to: each object of the test stays at its position."""
    if type(existing) is not type(new) or is_mock(existing):
        raise AttributeError(f"agentclash-grade: {name} of an object of the test cannot be changed in place: set it")
    if is_mock(target):
        return member(target, name, new)
    old = existing.items() if type(existing) is dict else enumerate(existing)
    found = new if type(new) is dict else dict(enumerate(new))
    if all(found.get(key) is each for key, each in old if has_object_of_tests(each)):
        return new
    try:
        return plain(new, is_strict=True)
    except OfCode:
        raise AttributeError(
            f"agentclash-grade: {name} has an object of the test, which an object of the code cannot replace") from None


def has_object_of_tests(value):
    if type(value) is dict:
        return any(has_object_of_tests(each) for each in value.values())
    if type(value) in SEQUENCES:
        return any(has_object_of_tests(each) for each in value)
    return is_of_tests(value)


def plain(value, is_strict=False, fields=lambda field: True):
    """The value without members that the code computes; raises OfCode where it has an object of the code, at any depth.

    `fields(name)` is true for names that a named tuple may have. Where `is_strict`, neither named tuples nor members of
    enumerations are plain."""
    def of(each):
        return plain(each, is_strict, fields)

    if isinstance(value, RemoteMember):
        if is_strict:
            raise OfCode
        of(value.value)
        return value.as_data()
    if type(value) is containers.RemoteContainer:
        return of(containers.content(value))
    if isinstance(value, RemoteObject) or isinstance(value, types.CoroutineType):
        raise OfCode
    if type(value) is dict:
        return {of(key): of(item) for key, item in value.items()}
    if type(value) in SEQUENCES:
        return type(value)(of(each) for each in value)
    if isinstance(value, tuple):
        names = getattr(value, "_fields", ())
        if is_strict or not all(fields(name) for name in names):
            raise OfCode
        return collections.namedtuple(type(value).__name__, names)(*(of(each) for each in tuple.__iter__(value)))
    return value
