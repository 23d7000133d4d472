"""In the process of the code: what a value is by a base class of Python, read by the methods of that class."""

import collections

SCALARS = {str: str.__str__, int: int.__index__, float: float.__float__, bytes: lambda value: bytes.join(b"", [value, b""])}
CONTAINERS = (list, tuple, dict, set, frozenset, collections.deque, bytearray)


def scalar(value):
    """The text, number or bytes of an object of a class that inherits from such; None of others."""
    for base, read in SCALARS.items():
        if isinstance(value, base):
            return read(value)
    return None


def container(value):
    """The type of container from which the class of an object inherits; None of others."""
    return next((base for base in CONTAINERS if issubclass(type(value), base)), None)


def content(value):
    base = container(value)
    if base is dict:
        return dict(dict.items(value))
    if base is bytearray:
        return bytearray(bytearray.__getitem__(value, slice(None)))
    return base(base.__iter__(value))


def own_names(value, base):
    """The members of a base class, and the operators, that the class of an object has of its own."""
    names = set()
    for kind in type(value).__mro__:
        if kind is not object and kind not in base.__mro__:
            names.update(name for name, member in vars(kind).items() if name in OWN and not is_of_named_tuples(name, member))
    return sorted(names)


def is_of_named_tuples(name, member):
    """What each named tuple has, without that its class defines it."""
    return name == "__repr__" and getattr(member, "__module__", None) == "collections"


# All that decides how the judge reads a copy.
OWN = ({name for base in CONTAINERS for name in dir(base)} - set(dir(object))) | {
    f"__{side}{name}__" for side in ("", "r") for name in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "matmul", "and", "or", "xor", "lshift", "rshift")} | {
    f"__{name}__" for name in (
        "str", "repr", "format", "eq", "lt", "le", "gt", "ge", "abs", "neg", "pos", "invert", "call", "round", "int",
        "float", "complex", "bool", "missing", "enter", "exit")}
