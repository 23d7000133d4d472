"""The process of the code under test: it imports the code and does what the judge requests, one request after another.

All of this runs beside hostile code and may be changed by it: the judge takes nothing from here but data."""

import builtins
import enum
import importlib
import inspect
import io
import json
import operator
import socket
import sys
import types

from . import bases, callbacks, coroutines, library, live, raised, wire
from .callbacks import Callback

KINDS_BY_PATH = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)
METHODS = (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)
PRINTED_MAX = 1024 * 1024
OPERATIONS = {
    "len": len, "bool": bool, "int": int, "float": float, "complex": complex, "index": operator.index,
    "str": str, "repr": repr, "bytes": bytes, "hash": hash, "abs": abs, "round": round, "iter": iter, "next": next,
    "getitem": operator.getitem, "setitem": operator.setitem, "delitem": operator.delitem, "reversed": reversed,
    "contains": operator.contains, "isinstance": isinstance, "issubclass": issubclass, "format": format,
    "enter": lambda value: value.__enter__(),
    "divmod": divmod, "pow": pow, "ipow": operator.ipow, "neg": operator.neg, "pos": operator.pos, "invert": operator.invert,
    "content": bases.content, "await": coroutines.run, "anext": lambda value: coroutines.run(value.__anext__()),
    "aenter": lambda value: coroutines.run(value.__aenter__()), "owns_hash": lambda value: not isinstance(value, METHODS) and type(value).__hash__ not in (object.__hash__, type.__hash__),
}
for name in ("eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "truediv", "floordiv", "mod", "matmul", "and_",
             "or_", "xor", "lshift", "rshift", "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "iand", "ior",
             "ixor"):
    OPERATIONS[name] = getattr(operator, name)


class RaisedByTest(Exception):
    """An exception of a test's own type, which the code under test does not have."""


class Server:
    def __init__(self, connection):
        self.connection = connection
        self.objects, self.keys = {}, {}
        self.exceptions, self.originals = {}, {}
        self.callbacks, self.classes = {}, {}
        self.next = 1

    def receive(self):
        header = self.read(wire.HEADER.size)
        return json.loads(self.read(wire.HEADER.unpack(header)[0]))

    def read(self, length):
        data = b""
        while len(data) < length:
            chunk = self.connection.recv(length - len(data))
            if not chunk:
                raise SystemExit
            data += chunk
        return data

    def exchange(self, message):
        """Sends a message and serves requests until its reply comes."""
        wire.send(self.connection, message)
        return self.wait()

    def wait(self):
        while True:
            message = self.receive()
            if "op" not in message:
                return message
            reply = {**self.reply(message), "number": message["number"]}
            try:
                wire.send(self.connection, reply)
            except (wire.WireError, RecursionError, ValueError) as error:
                failed = {"raise": self.encode_exception(error), "number": message["number"]}
                wire.send(self.connection, failed)

    def reply(self, message):
        arguments = []
        try:
            arguments = [self.decode(value) for value in message.get("args", [])]
            named = {name: self.decode(value) for name, value in message.get("kw", {}).items()}
            reply = {"ok": self.encode(self.perform(message, arguments, named))}
        except BaseException as error:
            reply = {"raise": self.encode_exception(error)}
        if message.get("shared"):
            reply["args"] = [self.encode(value) if is_changeable(value) else None for value in arguments]
        for key, stream in (("out", sys.stdout), ("err", sys.stderr)):
            if isinstance(stream, io.StringIO):
                text = stream.getvalue()
                if text:
                    reply[key] = text[:PRINTED_MAX]
                    stream.seek(0)
                    stream.truncate()
        return reply

    def perform(self, message, arguments, named):
        operation = message["op"]
        if operation == "import":
            importlib.import_module(message["name"])
            return None
        target = self.decode(message["on"])
        if operation == "get":
            return Found(getattr(target, message["name"]), message.get("path"))
        if operation in ("set", "del"):
            self.keep_original(message["on"], target, message["name"])
        if operation == "set":
            [value] = arguments
            is_method = message.get("binds") and isinstance(target, type)
            return setattr(target, message["name"], method_of(value) if is_method else value)
        if operation == "del":
            return delattr(target, message["name"])
        if operation == "call":
            return target(*arguments, **named)
        if operation in ("exit", "aexit"):
            error = self.error_of_test(message["error"]) if message.get("error") else None
            ended = getattr(target, f"__{operation}__")(None if error is None else type(error), error, None)
            return bool(ended if operation == "exit" else coroutines.run(ended))
        return OPERATIONS[operation](target, *arguments)

    def keep_original(self, reference, target, name):
        """What a test imported by name stays what it was, also while another is in its place."""
        if reference[0] == "p" and hasattr(target, name):
            self.originals.setdefault((*reference[1], name), getattr(target, name))

    def encode(self, value):
        if isinstance(value, Found):
            return self.encode_found(value)
        return wire.encode(value, self.reference)

    def encode_found(self, found):
        """A member that is no data keeps the way to it, so that it is found in the next process too."""
        value, path = found.value, found.path
        if path is not None and self.originals.get(tuple(path), value) is not value:
            path = None
        if path is not None and isinstance(value, type) and issubclass(value, BaseException):
            return self.reference(value)
        if path is not None and isinstance(value, KINDS_BY_PATH):
            return ["p", [path, type_name(value)]]
        if path is not None and is_member(value):
            return self.encode_member(value, ["p", [path, type_name(value)]])
        return self.encode(value)

    def reference(self, value):
        if isinstance(value, Callback):
            return ["g", value._agentclash_id]
        if isinstance(value, type) and issubclass(value, BaseException):
            return ["e", self.describe_exception(value)]
        if type(value) in live.BASES:
            return wire.encode(live.plain(value), self.reference)
        if is_member(value):
            return self.encode_member(value, self.handle(value))
        if isinstance(value, tuple) and isinstance(getattr(type(value), "_fields", None), tuple):
            return wire.encode_named(value, self.reference, self.handle(value), bases.own_names(value, tuple))
        scalar = bases.scalar(value)
        if scalar is not None:
            return wire.encode(scalar, self.reference)
        base = bases.container(value)
        if base is not None:
            [_, [key, name]] = self.handle(value)
            return ["k", [key, name, base.__name__, bases.own_names(value, base)]]
        return self.handle(value)

    def handle(self, value):
        """Kept until this process ends, so that its id stays its own."""
        key = self.keys.get(id(value))
        if key is None:
            key, self.next = self.next, self.next + 1
            self.objects[key], self.keys[id(value)] = value, key
        is_awaited = inspect.isawaitable(value) and not inspect.iscoroutine(value)
        return ["a" if is_awaited else "h", [key, type_name(value)]]

    def encode_member(self, value, reference):
        plain = None if type(value.value) is object else value.value
        data = self.encode(bases.scalar(value))
        return ["m", [type(value).__name__, value.name, self.encode(plain), reference, data]]

    def describe_exception(self, kind):
        """The name of a built-in class, or [number, name, bases, name in the library], each base such a description."""
        if raised.is_builtin(kind):
            return kind.__name__
        key = next((key for key, kept in self.exceptions.items() if kept is kind), None)
        if key is None:
            key, self.next = self.next, self.next + 1
            self.exceptions[key] = kind
        bases = [self.describe_exception(base) for base in kind.__bases__ if issubclass(base, BaseException)]
        return [key, kind.__name__, bases, raised.library_name(kind)]

    def encode_exception(self, error, depth=0):
        number = getattr(error, "__dict__", {}).get("_agentclash_number")
        if number is not None:
            return {"again": number}
        kind = type(error)
        described = {"type": self.describe_exception(kind)}
        try:
            described["text"] = str(error)
        except BaseException:
            described["text"] = ""
        try:
            described["args"] = [self.encode(value) for value in error.args]
        except BaseException:
            described["args"] = [described["text"]]
        try:
            described["attributes"] = {name: self.encode(value) for name, value in raised.attributes(error).items()}
        except BaseException:
            described["attributes"] = {}
        if not isinstance(described["type"], str):
            described["self"] = self.handle(error)
        if error.__cause__ is not None and depth < raised.CAUSES_MAX:
            described["cause"] = self.encode_exception(error.__cause__, depth + 1)
        return described

    def error_of_test(self, sent):
        """An error that a test has raised, as the code may catch it."""
        if "own" in sent:
            return self.decode(sent["own"])
        arguments = [self.decode(value) for value in sent["args"]]
        kind = self.decode(sent["class"]) if "class" in sent else self.class_of_test(sent["type"], sent["base"])
        try:
            error = kind(*arguments)
        except Exception:
            error = kind.__new__(kind)
            error.args = tuple(arguments)
        raised.set_attributes(error, {name: self.decode(value) for name, value in sent["attributes"].items()})
        try:
            error._agentclash_number = sent["number"]
        except AttributeError:
            pass
        return error

    def class_of_test(self, name, base):
        base = getattr(builtins, base)
        if base.__name__ == name:
            return base
        kinds = (RaisedByTest,) if base is Exception else (RaisedByTest, base) if issubclass(base, Exception) else (base,)
        return self.classes.setdefault((name, base), type(name, kinds, {}))

    def decode(self, data):
        return wire.decode(data, self.referenced)

    def referenced(self, tag, body):
        if tag == "h":
            return self.objects[body]
        if tag == "p":
            found = importlib.import_module(body[0])
            for end, name in enumerate(body[1:], 2):
                key = tuple(body[:end])
                found = self.originals[key] if key in self.originals else getattr(found, name)
            return found
        if tag == "e":
            return self.exceptions[body]
        if tag == "o":
            return library.resolve(body)
        if tag == "g":
            return self.callbacks.setdefault(body, Callback(self, body))
        if tag == "w":
            return callbacks.awaited(Callback(self, body))
        raise wire.WireError("no reference: " + tag)


class Found:
    """A member of a module or class, and the way to it: a list that begins with the name of the module."""

    def __init__(self, value, path):
        self.value, self.path = value, path


def method_of(callback):
    """A function of a test as one of this process: it gets the object of the class in which it is put."""

    def method(*arguments, **named):
        return callback(*arguments, **named)

    return method


def is_member(value):
    return isinstance(value, enum.Enum) and not isinstance(value, enum.Flag)


def is_changeable(value):
    return type(value) in (list, dict, set, bytearray)


def type_name(value):
    if inspect.iscoroutine(value):
        return "coroutine"
    return value.__name__ if isinstance(value, type) else type(value).__name__


def main(arguments):
    descriptor, *folders = arguments
    connection = socket.socket(fileno=int(descriptor))
    sys.argv = [""]
    sys.path[:0] = folders
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
    Server(connection).wait()
