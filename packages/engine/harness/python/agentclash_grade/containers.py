"""Objects of the code whose classes inherit from a container of Python.

They stay objects of the code, so that their methods change them, and are compared as the containers they are: the plain
content decides, which is read by the methods of the base class. What a class does not define itself, the content gives."""

import collections
import json

from . import proxies
from .untrusted import UNTRUSTED, UntrustedComparison

BASES = {base.__name__: base for base in (list, tuple, dict, set, frozenset, collections.deque, bytearray)}
# Methods of a container that leave it as it is.
READING = ("get", "items", "keys", "values", "index", "count", "difference", "union", "intersection", "issubset",
           "issuperset", "isdisjoint", "symmetric_difference", "startswith", "endswith", "find", "rfind", "rindex", "hex",
           "decode", "copy")
GIVEN = ("len", "iter", "getitem", "contains", "reversed", "add", "radd", "mul", "rmul", "sub", "rsub", "and", "rand",
         "or", "ror", "xor", "rxor", "eq", "ne", "lt", "le", "gt", "ge", "bool", "bytes")


class RemoteContainer(proxies.RemoteObject):
    """`_base` is the container's type, `_own` the names of it that the class of the code has of its own."""

    __slots__ = ("_base", "_own")

    @property
    def __class__(self):
        return object.__getattribute__(self, "_base")

    def __getattr__(self, name):
        if name not in READING or not hasattr(object.__getattribute__(self, "_base"), name):
            return proxies.RemoteObject.__getattr__(self, name)
        if name not in object.__getattribute__(self, "_own"):
            return getattr(content(self), name)
        return proxies.RemoteObject.__getattr__(self, name)

    def __hash__(self):
        return hash(content(self))

    def __bool__(self):
        own = object.__getattribute__(self, "_own")
        return proxies.RemoteObject.__bool__(self) if "__bool__" in own or "__len__" in own else bool(content(self))


def content(remote):
    """The plain container, as read since the last call of the code."""
    link = object.__getattribute__(remote, "_link")
    base = object.__getattribute__(remote, "_base")
    sent = {"op": "content", "on": link.reference(remote), "args": []}
    found = link.reads.get(json.dumps(sent), lambda: link.request(sent, is_reading=True))
    if type(found) is not base:
        raise UntrustedComparison(UNTRUSTED)
    return found


def given(name):
    """An operation of the content, unless the class of the code has its own: that one is as of any object."""
    dunder = f"__{name}__"
    of_object = getattr(proxies.RemoteObject, dunder, None)
    decides = name in ("eq", "ne", "lt", "le", "gt", "ge")

    def perform(self, *arguments):
        link = object.__getattribute__(self, "_link")
        if of_object is not None and link.trusts_equality:
            return of_object(self, *arguments)
        own = object.__getattribute__(self, "_own")
        is_own = dunder in own or (name == "getitem" and "__missing__" in own)
        if is_own and name not in ("eq", "ne"):
            if decides or of_object is None:
                raise UntrustedComparison(UNTRUSTED)
            return of_object(self, *arguments)
        found = content(self)
        operator = getattr(type(found), dunder, None)
        if operator is None and name == "reversed":
            return reversed(found)
        if operator is None:
            return NotImplemented
        return operator(found, *(content(each) if type(each) is RemoteContainer else each for each in arguments))

    return perform


for each in GIVEN:
    if each != "bool":
        setattr(RemoteContainer, f"__{each}__", given(each))


def make(link, key, name, base, own):
    made = RemoteContainer(link, None, key, name)
    object.__setattr__(made, "_base", BASES[base])
    object.__setattr__(made, "_own", frozenset(str(each) for each in own))
    return made
