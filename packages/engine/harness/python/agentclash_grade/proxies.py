"""Objects that represent those of the code under test.

What a test asserts about a value is decided here, by data. The code does not decide whether its own value is equal
to, less than or contained in what the test expects: it would learn the expected value, and could always agree. Neither
does it decide by the difference of both: what it makes of data of the test is an object whose members can be read, and
no number, length or truth value."""

import collections
import json
import types

from . import raised, reads
from .members import RemoteMember
from .untrusted import (
    UNTRUSTED, UNTRUSTED_HASH, UNTRUSTED_LENGTH, UNTRUSTED_METHOD, UNTRUSTED_PLACE, UNTRUSTED_RESULT, CodeEnded, UntrustedComparison,
)

# Methods of texts and sets that decide about their argument; an object that is neither could always agree.
DECIDING = ("startswith", "endswith", "issubset", "issuperset", "isdisjoint", "symmetric_difference")
# Methods by which texts, lists and sets decide as well, and such as objects of other kinds have too (a union-find, a
# store). They take no value of the test, unless it has made the object by the name of a class; `difference` takes none.
PICKING = ("index", "rindex", "find", "rfind", "count", "intersection", "union", "difference")
# Methods that give the items of a container.
ITEMS = ("items", "keys", "values")


def identity(remote):
    get = object.__getattribute__
    return get(remote, "_path"), get(remote, "_key"), get(remote, "_generation")


def place_of(remote, name):
    path, key, _ = identity(remote)
    return (key, name) if path is None else (*path, name)


def own_object(value):
    """The object of the code of which a value is a copy; the value itself where it is no such copy."""
    if isinstance(value, RemoteMember):
        return value._remote
    if isinstance(value, (Exception, tuple)):
        own = getattr(value, "__dict__", {}).get("_agentclash_self")
        return value if own is None else own
    return value


def is_of_code(value):
    return isinstance(own_object(value), RemoteObject)


class RemoteObject:
    __slots__ = ("_link", "_path", "_key", "_name", "_generation", "_is_computed", "_items_of", "_picks", "_is_made", "__weakref__")

    def __init__(self, link, path, key, name):
        for slot, value in zip(RemoteObject.__slots__, (link, path, key, name, link.generation, False, None, False, False)):
            object.__setattr__(self, slot, value)

    def __getattr__(self, name):
        # Test runners look for these in everything that they find in a module.
        if name == "__wrapped__" or name.startswith(("_pytest", "pytest", "__test__", "_mock")):
            raise AttributeError(name)
        return member(self, name)

    def __setattr__(self, name, value):
        request(self, "set", value, name=name, binds=isinstance(value, types.FunctionType))
        object.__getattribute__(self, "_link").place(place_of(self, name), value)

    def __delattr__(self, name):
        request(self, "del", name=name)
        object.__getattribute__(self, "_link").place(place_of(self, name), None)

    def __call__(self, *arguments, **named):
        return call(self, arguments, named)

    def __hash__(self):
        path, key, _ = identity(self)
        link = object.__getattribute__(self, "_link")
        if path is None and read(self, "owns_hash") is True:
            if link.trusts_equality:
                return request(self, "hash")
            raise UntrustedComparison(UNTRUSTED_HASH)
        return hash((tuple(path) if path else None, key))

    def __instancecheck__(self, value):
        value = own_object(value)
        return isinstance(value, RemoteObject) and request(value, "isinstance", self) is True

    def __subclasscheck__(self, value):
        return isinstance(value, RemoteObject) and request(value, "issubclass", self) is True

    def __exit__(self, _kind, error, trace):
        return ended(self, "exit", error, trace)

    async def __aenter__(self):
        return request(self, "aenter")

    async def __aexit__(self, _kind, error, trace):
        return ended(self, "aexit", error, trace)

    def __round__(self, *digits):
        refuse_computed(self)
        return request(self, "round", *digits)

    def __aiter__(self):
        return self

    async def __anext__(self):
        return request(self, "anext")

    def __contains__(self, value):
        link = object.__getattribute__(self, "_link")
        if link.trusts_equality:
            return request(self, "contains", value) is True
        if isinstance(value, RemoteObject):
            raise UntrustedComparison(UNTRUSTED)
        try:
            items = iter(self)
        except TypeError:
            raise UntrustedComparison(UNTRUSTED) from None
        return any(item == value for item in items if not isinstance(item, RemoteObject))

    def __dir__(self):
        return []


class RemoteAwaitable(RemoteObject):
    """Apart from the others: mock takes what can be awaited for an asynchronous function."""

    __slots__ = ()

    def __await__(self):
        return request(self, "await")
        yield


async def awaited(remote):
    """A coroutine of the code as one of this process, for asyncio.run and await; it runs at once, without the others."""
    return request(remote, "await")


def ended(remote, operation, error, trace):
    """True where the code suppresses an error that the test has raised by `raise` in the block itself: one that came of what
    the code gave would end the block before its assertions."""
    if isinstance(error, CodeEnded):
        return False
    link = object.__getattribute__(remote, "_link")
    try:
        is_suppressed = request(remote, operation, **({} if error is None else {"error": link.encode_raised(error)})) is True
    except Exception:
        # Nothing that the code raises takes the place of a failure.
        if isinstance(error, AssertionError) or not isinstance(error, (Exception, type(None))):
            return False
        raise
    return is_suppressed and isinstance(error, Exception) and not isinstance(error, AssertionError) and raised.is_raised_in(trace)


def request(remote, operation, *arguments, **more):
    link = object.__getattribute__(remote, "_link")
    sent = {"op": operation, "on": link.reference(remote), "args": [link.encode(each) for each in arguments], **more}
    return link.request(sent)


def read(remote, operation, *arguments, **more):
    """The value that the same read has given since the last call of the code."""
    link = object.__getattribute__(remote, "_link")
    if link.trusts_equality:
        return request(remote, operation, *arguments, **more)
    key = json.dumps([operation, link.reference(remote), [link.encode(each) for each in arguments], more.get("name")])
    return link.reads.get(key, lambda: request(remote, operation, *arguments, **more))


def iteration(remote):
    """The items of a container; an iterator as it is."""
    link = object.__getattribute__(remote, "_link")
    if link.trusts_equality:
        return request(remote, "iter")

    def begin():
        try:
            iterator = link.request({"op": "iter", "on": link.reference(remote), "args": []}, is_reading=True)
        except TypeError as error:
            return error
        if not isinstance(iterator, RemoteObject) or identity(iterator) == identity(remote):
            return iterator
        sent = {"op": "next", "on": link.reference(iterator), "args": []}
        return reads.Items(lambda: link.request(sent, is_reading=True))

    items = link.reads.get(json.dumps(["items", link.reference(remote)]), begin)
    if isinstance(items, TypeError):
        raise items
    return items


def refuse_computed(remote):
    if object.__getattribute__(remote, "_is_computed") and not object.__getattribute__(remote, "_link").trusts_equality:
        raise UntrustedComparison(UNTRUSTED_RESULT)


def computed(remote, arguments, result):
    """The result of an operation on an object of the code; with data of the test it is one whose members alone are read."""
    link = object.__getattribute__(remote, "_link")
    is_own = not object.__getattribute__(remote, "_is_computed")
    if link.trusts_equality or (is_own and all(is_of_code(each) for each in arguments)):
        return result
    if isinstance(result, RemoteMember) or result is NotImplemented:
        return result
    # A copy of a named tuple would be compared; of the object its members are read.
    result = own_object(result)
    if not isinstance(result, RemoteObject):
        raise UntrustedComparison(UNTRUSTED_RESULT)
    object.__setattr__(result, "_is_computed", True)
    return result


def member(remote, name):
    link = object.__getattribute__(remote, "_link")
    if name in DECIDING and not link.trusts_equality:
        raise UntrustedComparison(UNTRUSTED)
    if name == "total_seconds":
        refuse_computed(remote)
    path = identity(remote)[0]
    found = read(remote, "get", name=name, path=None if path is None else [*path, name])
    if isinstance(found, RemoteMember) and found.name != name:
        found.__dict__["_alias"] = name
    if name in ITEMS and isinstance(found, RemoteObject):
        object.__setattr__(found, "_items_of", remote)
    if name in PICKING and isinstance(found, RemoteObject) and not link.trusts_equality:
        is_made = object.__getattribute__(remote, "_is_made") or (path is not None and is_class_name(path[-1]))
        if name == "difference" or not is_made:
            picking(found)
    return link.placed_as(place_of(remote, name), found)


def picking(found):
    """A method that gets no value of the test: its result would be what the code makes of it."""
    object.__setattr__(found, "_picks", True)
    return found


def is_class_name(name):
    return name[:1].isupper() and (len(name) == 1 or not name.isupper())


def made_by_test(remote, result):
    """Keeps whether the test has made the object by the name of a class, which the test has and the code does not choose."""
    path = identity(remote)[0]
    if path is not None and path[-1][:1].isupper() and isinstance(result, RemoteObject):
        object.__setattr__(result, "_is_made", True)
    return result


def length_of(owner):
    """The key of the length that a test has read, or of the copy whose length it is."""
    if isinstance(owner, tuple):
        return json.dumps(["len of a copy", id(owner)])
    return json.dumps(["len", object.__getattribute__(owner, "_link").reference(owner), [], None])


def call(remote, arguments, named):
    link = object.__getattribute__(remote, "_link")
    sent = {"op": "call", "on": link.reference(remote), "args": [link.encode(each) for each in arguments],
            "kw": {name: link.encode(value) for name, value in named.items()}}
    if object.__getattribute__(remote, "_picks") and not all(is_of_code(each) for each in [*arguments, *named.values()]):
        raise UntrustedComparison(UNTRUSTED_METHOD)
    owner = object.__getattribute__(remote, "_items_of")
    if owner is not None and not arguments and not link.trusts_equality:
        length = link.reads.known(length_of(owner))
        length = len(length) if isinstance(length, tuple) else length
        return link.request(sent) if length is None else as_many(link.request(sent), length)
    if not link.trusts_arguments:
        return made_by_test(remote, link.request(sent))
    reply = link.request({**sent, "shared": True})
    if not isinstance(reply, dict) or "ok" not in reply:
        return reply
    for argument, changed in zip(arguments, reply["args"]):
        if changed is not None:
            replace(argument, link.decode(changed))
    return made_by_test(remote, link.decode(reply["ok"]))


def as_many(items, length):
    """The items of a container whose length the test has read: no fewer."""
    if isinstance(items, RemoteObject):
        listed = iteration(items)
        if not isinstance(listed, reads.Items):
            return counted(items, length)
        count = length if listed.are(length) else len(listed.items)
    else:
        count = len(items) if hasattr(items, "__len__") else length
    if count < length:
        raise UntrustedComparison(UNTRUSTED_LENGTH)
    return items


def counted(items, length):
    for item in items:
        yield item
        length -= 1
    if length > 0:
        raise UntrustedComparison(UNTRUSTED_LENGTH)


def replace(argument, value):
    """In place, as the code has changed its copy."""
    if type(argument) is not type(value) or type(argument) not in (list, dict, set, bytearray, collections.deque):
        return
    if isinstance(argument, (list, bytearray)):
        argument[:] = value
    else:
        argument.clear()
        (argument.extend if isinstance(argument, collections.deque) else argument.update)(value)


def operation(name, kind=None):
    """Of one type where Python requires it of the result."""

    def perform(self, *arguments):
        if name in DECIDED:
            refuse_computed(self)
        if name == "iter":
            items = iteration(self)
            return iter(items) if isinstance(items, reads.Items) else items
        value = (read if name in reads.READING else request)(self, name, *arguments)
        if kind is not None and type(value) is not kind:
            raise TypeError(f"the code under test gives no {kind.__name__} here")
        if name == "len":
            refuse_length(self, value)
        return value

    return perform


def refuse_length(remote, length):
    """Tests compare the length of a container, and then look at each of its items."""
    try:
        items = iteration(remote)
    except TypeError:
        return
    if isinstance(items, reads.Items) and not items.are(length):
        raise UntrustedComparison(UNTRUSTED_LENGTH)


def comparison(name):
    """With plain data: never equal, and without an order."""

    def compare(self, other):
        link = object.__getattribute__(self, "_link")
        if link.trusts_equality:
            return request(self, name, other) is True
        if name in ("eq", "ne"):
            if not isinstance(other, RemoteObject):
                return name == "ne"
            if identity(self) == identity(other):
                return name == "eq"
        raise UntrustedComparison(UNTRUSTED)

    return compare


def arithmetic(name):
    def perform(self, *others):
        return computed(self, others, request(self, name, *others))

    return perform


def reflected(name):
    def perform(self, other):
        link = object.__getattribute__(self, "_link")
        result = link.request({"op": "call", "on": link.reference(member(self, f"__r{name.strip('_')}__")),
                               "args": [link.encode(other)], "kw": {}})
        return computed(self, [other], result)

    return perform


# Operations by whose result a test decides; of an object that was computed from data of the test none is taken.
DECIDED = ("len", "bool", "int", "float", "complex", "index", "bytes", "abs", "iter", "next", "getitem", "reversed")

for each, kind in {"len": int, "bool": bool, "int": int, "float": float, "complex": complex, "index": int, "str": str, "repr": str,
                   "bytes": bytes, "format": str, "abs": None, "iter": None, "next": None, "getitem": None,
                   "setitem": None, "delitem": None, "reversed": None, "enter": None}.items():
    setattr(RemoteObject, f"__{each}__", operation(each, kind))
for each in ("divmod", "pow", "neg", "pos", "invert", "ipow"):
    setattr(RemoteObject, f"__{each}__", arithmetic(each))
for each in ("add", "sub", "mul", "truediv", "floordiv", "mod", "matmul", "and_", "or_", "xor", "lshift", "rshift"):
    setattr(RemoteObject, f"__{each.strip('_')}__", arithmetic(each))
    setattr(RemoteObject, f"__r{each.strip('_')}__", reflected(each))
for each in ("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "iand", "ior", "ixor"):
    setattr(RemoteObject, f"__{each}__", arithmetic(each))
for each in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(RemoteObject, f"__{each}__", comparison(each))


def exception_member(error, name):
    remote = error.__dict__.get("_agentclash_self")
    if name.startswith("_") or not isinstance(remote, RemoteObject):
        raise AttributeError(name)
    return member(remote, name)
