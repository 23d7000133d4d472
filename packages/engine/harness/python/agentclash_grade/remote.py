"""The judge's side of the code under test: a process that is started on first use, and objects that represent its own."""

import builtins
import inspect
import json
import os
import secrets
import select
import socket
import subprocess
import sys
import threading
import types

from . import containers, copies, exposed, library, members, modules, protection, proxies, raised, reads, settable, wire
from .proxies import CodeEnded

POLL_SECONDS = 0.1
ITERATING = ("next", "anext")
ENDED = "the process of the code under test has ended"
DIRECTORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILTIN_EXCEPTIONS = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type)
    and (issubclass(kind, Exception) or kind is SystemExit)
    and not name.endswith("Group")
}


class RemoteError(Exception):
    """An exception of the code under test that is no built-in one."""


def is_named_tuple(value):
    return isinstance(value, tuple) and isinstance(getattr(type(value), "_fields", None), tuple)


def coroutine_of(value):
    """The coroutine of the code that a coroutine of this process is to await; None of others."""
    if not isinstance(value, types.CoroutineType) or value.cr_code is not proxies.awaited.__code__ or value.cr_frame is None:
        return None
    own = value.cr_frame.f_locals["remote"]
    # The code awaits it.
    value.close()
    return own


class Link:
    """One process of the code at a time; after it has ended, the next use starts another."""

    def __init__(self, folders, cpu_seconds, trust):
        self.folders, self.cpu_limit = folders, cpu_seconds
        self.trusts_equality, self.trusts_arguments = "equality" in trust, "arguments" in trust
        self.process = self.connection = None
        self.generation = 0
        self.exposed, self.exposed_ids, self.exceptions, self.handles = {}, {}, {}, {}
        self.placed = set()
        self.raised = []
        self.lock = threading.RLock()
        self.reads = reads.Reads()

    def start(self):
        ours, theirs = socket.socketpair()
        self.generation += 1
        self.exceptions, self.handles, self.placed, self.raised = {}, {}, set(), []
        self.process = subprocess.Popen(
            [sys.executable, "-I", DIRECTORY, "serve", str(theirs.fileno()), *self.folders],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()], start_new_session=True, env=protection.clean_environment())
        theirs.close()
        self.connection = ours

    def end(self):
        """Ends the process and everything that it has started."""
        protection.kill_descendants()
        self.reads.clear()
        if self.process is not None:
            self.process.poll()
            self.connection.close()
        self.process = self.connection = None

    def request(self, message, is_reading=False):
        """Resolves to the value of the code, or raises what it has raised."""
        with self.lock:
            if not is_reading and message["op"] not in reads.READING:
                self.reads.clear()
            if self.process is None:
                self.start()
            limit = protection.cpu_seconds(self.process.pid) + self.cpu_limit
            # A reply to this request, and none that was sent ahead of it.
            number = secrets.randbits(48)
            try:
                self.transmit({**message, "number": number})
                while True:
                    reply = self.receive(limit)
                    if "callback" not in reply:
                        if reply.get("number") != number:
                            raise wire.WireError("no reply to this request")
                        return self.result(reply, message["op"])
                    # The code has run up to here, and continues after it.
                    self.reads.clear()
                    result = self.call_back(reply)
                    self.reads.clear()
                    self.transmit(result)
            except (OSError, wire.WireError, RecursionError, UnicodeError, ValueError, TypeError, KeyError,
                    AttributeError, IndexError, OverflowError, MemoryError) as error:
                if getattr(error, "_agentclash_raised", False):
                    raise
                self.end()
                raise CodeEnded("the code under test did not keep to the protocol: " + type(error).__name__) from None

    def transmit(self, message):
        self.connection.settimeout(None)
        wire.send(self.connection, message)

    def receive(self, limit):
        length = wire.HEADER.unpack(self.read(wire.HEADER.size, limit))[0]
        if length > wire.MESSAGE_BYTES_MAX:
            raise wire.WireError("the message is too large")
        message = json.loads(self.read(length, limit))
        if not isinstance(message, dict):
            raise wire.WireError("no message")
        return message

    def read(self, length, limit):
        data = bytearray()
        while len(data) < length:
            ready, _, _ = select.select([self.connection], [], [], POLL_SECONDS)
            if not ready:
                # A process that it has started may hold its end of the connection.
                if self.process.poll() is not None:
                    self.end()
                    raise CodeEnded(ENDED)
                if protection.cpu_seconds(self.process.pid) > limit:
                    self.end()
                    raise CodeEnded(f"a call of the code under test took more than {self.cpu_limit} s of CPU")
                continue
            chunk = self.connection.recv(min(65536, length - len(data)))
            if not chunk:
                self.end()
                raise CodeEnded(ENDED)
            data += chunk
        return bytes(data)

    def result(self, reply, operation):
        for key, stream in (("out", sys.stdout), ("err", sys.stderr)):
            if isinstance(reply.get(key), str):
                stream.write(reply[key])
        if "raise" in reply:
            error = self.decode_exception(reply["raise"])
            error._agentclash_raised = True
            # It would end a loop of the test over other values, as if nothing were left.
            if isinstance(error, (StopIteration, StopAsyncIteration)) and operation not in ITERATING:
                raise CodeEnded(f"the code under test raised {type(error).__name__}, and is no iterator here")
            raise error
        if "args" in reply and self.trusts_arguments:
            return reply
        return self.decode(reply["ok"])

    def call_back(self, message):
        """The code calls a function of the test. Its exceptions are the code's to handle."""
        try:
            target = self.exposed[message["callback"]]
            arguments = [self.decode(value) for value in message["args"]]
            named = {str(name): self.decode(value) for name, value in message["kw"].items()}
            if "error" in message:
                arguments.append(self.decode_exception(message["error"]))
            value = exposed.call_exposed(target, message["operation"], message["name"], arguments, named, settable)
            return {"ok": self.encode(value)}
        except CodeEnded:
            raise
        except Exception as error:
            return {"raise": self.encode_raised(error)}

    def encode_raised(self, error):
        """An error of the test, for the code: one of the code's own as it is, the others by class and plain arguments."""
        kind = type(error)
        own = proxies.own_object(error)
        if own is not error:
            return {"own": self.own_reference(own)}
        self.raised.append(error)
        # A failure has the expected value in its text.
        is_failure = isinstance(error, AssertionError) or not isinstance(error, Exception)
        found = {} if is_failure else raised.attributes(error)
        sent = {"number": len(self.raised) - 1, "args": [] if is_failure else [self.plain_or_text(each) for each in error.args],
                "attributes": {name: self.plain_or_text(each) for name, each in found.items()}}
        if vars(kind).get("_agentclash_generation") == self.generation:
            return {**sent, "class": ["e", kind._agentclash_key]}
        library_name = raised.library_name(kind)
        if library_name is not None:
            return {**sent, "class": ["o", [library_name[0], *library_name[1].split(".")]]}
        return {**sent, "type": kind.__name__, "base": raised.builtin_base(kind)}

    def plain_or_text(self, value):
        def refuse(each):
            if proxies.is_of_code(each):
                return self.reference(each)
            raise TypeError

        try:
            return wire.encode(value, refuse)
        except TypeError:
            return str(value)

    def encode(self, value):
        return wire.encode(value, self.reference)

    def reference(self, value):
        if isinstance(value, modules.RemoteModule):
            return ["p", [value.__name__]]
        if isinstance(value, proxies.RemoteObject):
            return self.own_reference(value)
        if isinstance(value, proxies.RemoteMember):
            return self.own_reference(value._remote)
        if is_named_tuple(value):
            own = vars(value).get("_agentclash_self") if hasattr(value, "__dict__") else None
            if isinstance(own, proxies.RemoteObject) and proxies.identity(own)[2] == self.generation:
                return self.own_reference(own)
            return wire.encode_named(value, self.reference)
        if isinstance(value, Exception) and getattr(value, "_agentclash_self", None) is not None:
            return self.own_reference(value._agentclash_self)
        if isinstance(value, type) and vars(value).get("_agentclash_generation") == self.generation:
            return ["e", value._agentclash_key]
        path = library.reference(value)
        if path is not None:
            return ["o", path]
        own = coroutine_of(value)
        if own is not None:
            return self.own_reference(own)
        if inspect.isawaitable(value) and not isinstance(value, type):
            return ["w", self.expose(value)]
        if not exposed.is_exposable(value):
            raise TypeError(f"agentclash-grade: a {type(value).__name__} of a test cannot be given to the code under test")
        return ["g", self.expose(value)]

    def expose(self, value):
        key = self.exposed_ids.get(id(value))
        if key is None:
            key = self.exposed_ids[id(value)] = len(self.exposed) + 1
            self.exposed[key] = value
        return key

    def own_reference(self, remote):
        path, key, generation = proxies.identity(remote)
        if path is not None:
            return ["p", path]
        if generation != self.generation:
            raise CodeEnded("this object was in a process that has ended")
        return ["h", key]

    def decode(self, data):
        return wire.decode(data, self.referenced, self.named)

    def named(self, name, fields, items, own, operators):
        return copies.make(name, fields, items, self.decode(own), operators)

    def placed_as(self, key, found):
        """What the code has at a place where the test has put a mock: an object of the code there could pass as one."""
        if isinstance(found, proxies.RemoteObject) and key in self.placed:
            raise proxies.UntrustedComparison(proxies.UNTRUSTED_PLACE)
        return found

    def place(self, key, value):
        if exposed.is_mock(value):
            self.placed.add(key)
        else:
            self.placed.discard(key)

    def referenced(self, tag, body):
        if tag == "g" and isinstance(body, int):
            return self.exposed[body]
        if tag == "h":
            key, name = body
            made = self.handles.get(int(key))
            if made is None:
                made = self.handles[int(key)] = proxies.RemoteObject(self, None, int(key), str(name))
            object.__setattr__(made, "_is_made", False)
            return proxies.awaited(made) if name == "coroutine" else made
        if tag == "k":
            key, name, base, own = body
            made = self.handles.get(int(key))
            if made is None:
                made = self.handles[int(key)] = containers.make(self, int(key), str(name), base, own)
            return made
        if tag == "a":
            key, name = body
            return self.handles.setdefault(int(key), proxies.RemoteAwaitable(self, None, int(key), str(name)))
        if tag == "p":
            path, name = body
            return proxies.RemoteObject(self, [str(part) for part in path], None, str(name))
        if tag == "e":
            return self.exception_class(body)
        if tag == "m":
            kind, name, value, own, data = body
            remote = self.decode(own)
            if not isinstance(remote, proxies.RemoteObject):
                raise wire.WireError("no member")
            return members.make(remote, str(kind), str(name), self.decode(value), self.decode(data))
        raise wire.WireError("no reference")

    def exception_class(self, described):
        """A class of this process that represents one of the code: tests name it in `raises` and `except`."""
        if isinstance(described, str):
            return BUILTIN_EXCEPTIONS.get(described, RemoteError)
        key, name, bases, library_name = described
        made = self.exceptions.get(int(key))
        if made is None and library_name is not None:
            made = raised.find(*map(str, library_name))
        if made is None:
            kinds = tuple(dict.fromkeys(self.exception_class(base) for base in bases)) or (RemoteError,)
            members = {"_agentclash_key": int(key), "_agentclash_generation": self.generation,
                       "__str__": lambda error: error._agentclash_text, "_agentclash_text": "",
                       "__getattr__": proxies.exception_member}
            try:
                made = type(str(name), kinds, members)
            except TypeError:
                made = type(str(name), (RemoteError,), members)
        self.exceptions[int(key)] = made
        return made

    def decode_exception(self, sent):
        if "again" in sent:
            error = self.raised[sent["again"]]
            # A skipped test is none that the code may choose.
            if not isinstance(error, Exception) or type(error).__module__.partition(".")[0] in raised.OF_RUNNERS:
                raise wire.WireError("an error that the code cannot raise")
            return error
        kind = self.exception_class(sent["type"])
        try:
            error = kind.__new__(kind)
        except TypeError:
            error = RemoteError()
        error.args = tuple(self.decode(value) for value in sent["args"])
        found = {str(name): self.decode(value) for name, value in sent["attributes"].items()}
        raised.set_attributes(error, {name: value for name, value in found.items() if not proxies.is_of_code(value)})
        if kind.__dict__.get("_agentclash_key") is not None:
            error._agentclash_text = str(sent["text"])
            error._agentclash_self = self.decode(sent["self"]) if "self" in sent else None
        if "cause" in sent:
            error.__cause__ = self.decode_exception(sent["cause"])
        return error
