"""Values between the judge and the code under test, as JSON: data of exact built-in types, copied, and references.

Nothing that is received is evaluated: a value is made from its tag alone, and what has no tag is refused."""

import collections
import datetime
import decimal
import fractions
import json
import math
import pathlib
import struct
import uuid

MESSAGE_BYTES_MAX = 16 * 1024 * 1024
SAFE_INTEGER = 1 << 53
HEADER = struct.Struct(">I")


class WireError(Exception):
    """What was received is no value, or what is to be sent has no form."""


def send(stream, message):
    data = json.dumps(message).encode("ascii")
    if len(data) > MESSAGE_BYTES_MAX:
        raise WireError("the value is too large")
    stream.sendall(HEADER.pack(len(data)) + data)


def encode(value, reference):
    """`reference(value)` gives the form of what is no plain data, or raises TypeError."""
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        return value if -SAFE_INTEGER < value < SAFE_INTEGER else ["i", hex(value)]
    if kind is float:
        return value if math.isfinite(value) else ["x", repr(value)]
    tag = SEQUENCES.get(kind)
    if tag is not None:
        return [tag, [encode(item, reference) for item in value]]
    if kind in MAPPINGS:
        return ["d", [[encode(key, reference), encode(item, reference)] for key, item in value.items()]]
    scalar = SCALARS.get(kind)
    if scalar is not None:
        tag, write = scalar
        return [tag, write(value)]
    if isinstance(value, pathlib.PurePath):
        return ["P", str(value)]
    return reference(value)


def encode_named(value, reference, *more):
    """A named tuple, and what the other side is to know besides."""
    items = [encode(item, reference) for item in tuple.__iter__(value)]
    return ["n", [type(value).__name__, list(type(value)._fields), items, *more]]


def plain_named(name, fields, items):
    return collections.namedtuple(str(name), [str(field) for field in fields])(*items)


def decode(data, reference, named=plain_named):
    """`reference(tag, body)` gives the object of a reference, or raises WireError; `named` makes each named tuple."""
    if data is None or isinstance(data, (bool, str, int, float)):
        return data
    if not isinstance(data, list) or len(data) != 2 or not isinstance(data[0], str):
        raise WireError("no value")
    tag, body = data
    try:
        if tag in COLLECTIONS:
            return COLLECTIONS[tag](decode(item, reference, named) for item in body)
        if tag == "d":
            return {decode(key, reference, named): decode(item, reference, named) for key, item in body}
        if tag == "n":
            name, fields, items, *more = body
            return named(name, fields, [decode(item, reference, named) for item in items], *more)
        if tag in READERS:
            return READERS[tag](body)
    except (TypeError, ValueError, ArithmeticError, KeyError) as error:
        raise WireError("no value of tag " + tag) from error
    return reference(tag, body)



SEQUENCES = {list: "l", tuple: "t", set: "s", frozenset: "f", collections.deque: "q"}
COLLECTIONS = {"l": list, "t": tuple, "s": set, "f": frozenset, "q": collections.deque}
MAPPINGS = {dict, collections.OrderedDict, collections.defaultdict, collections.Counter}
SCALARS = {
    bytes: ("b", bytes.hex),
    bytearray: ("B", bytearray.hex),
    complex: ("c", lambda value: [repr(value.real), repr(value.imag)]),
    range: ("r", lambda value: [value.start, value.stop, value.step]),
    decimal.Decimal: ("D", str),
    fractions.Fraction: ("F", str),
    uuid.UUID: ("U", str),
    datetime.datetime: ("dt", datetime.datetime.isoformat),
    datetime.date: ("dd", datetime.date.isoformat),
    datetime.time: ("dc", datetime.time.isoformat),
    datetime.timedelta: ("du", lambda value: [value.days, value.seconds, value.microseconds]),
}
READERS = {
    "i": lambda body: int(body, 16),
    "x": float,
    "b": bytes.fromhex,
    "B": bytearray.fromhex,
    "c": lambda body: complex(float(body[0]), float(body[1])),
    "r": lambda body: range(*body),
    "D": decimal.Decimal,
    "F": fractions.Fraction,
    "U": uuid.UUID,
    "dt": datetime.datetime.fromisoformat,
    "dd": datetime.date.fromisoformat,
    "dc": datetime.time.fromisoformat,
    "du": lambda body: datetime.timedelta(*body),
    "P": pathlib.Path,
}
