"""Functions, iterators and objects of tests, in the process of the code under test: every use of one is a request to the judge."""

import inspect

from . import live

BINARY = ("eq", "ne", "lt", "le", "gt", "ge", "contains", "delitem", "add", "sub", "mul", "truediv", "floordiv", "mod",
          "pow", "matmul", "and", "or", "xor", "radd", "rsub", "rmul", "rtruediv", "rfloordiv", "rmod", "rand", "ror", "rxor")
UNARY = ("next", "iter", "len", "bool", "int", "float", "str", "repr", "abs", "neg", "pos", "hash", "enter", "reversed")
# Special names that functions and classes have; the others are looked up in this process alone.
NAMES = ("__name__", "__qualname__", "__doc__")


class Callback:
    __slots__ = ("_agentclash_server", "_agentclash_id", "__weakref__")

    def __init__(self, server, key):
        object.__setattr__(self, "_agentclash_server", server)
        object.__setattr__(self, "_agentclash_id", key)

    def _agentclash_request(self, operation, name="", arguments=(), named={}, error=None):
        server = self._agentclash_server
        reply = server.exchange({
            **({} if error is None else {"error": server.encode_exception(error)}),
            "callback": self._agentclash_id, "operation": operation, "name": name,
            "args": [server.encode(value) for value in arguments],
            "kw": {key: server.encode(value) for key, value in named.items()},
        })
        if "raise" in reply:
            raise server.error_of_test(reply["raise"])
        return server.decode(reply["ok"])

    @property
    def __doc__(self):
        return self._agentclash_request("get", "__doc__")

    def __call__(self, *arguments, **named):
        return self._agentclash_request("call", arguments=arguments, named=named)

    def __getattr__(self, name):
        if name == "__signature__":
            return signature_of(self._agentclash_request("signature"))
        if name.startswith("__") and name.endswith("__") and name not in NAMES:
            raise AttributeError(name)
        return live.held(self, name, self._agentclash_request("get", name))

    def __setattr__(self, name, value):
        self._agentclash_request("set", name, (value,))

    def __getitem__(self, key):
        return self._agentclash_request("getitem", arguments=(key,))

    def __setitem__(self, key, value):
        self._agentclash_request("setitem", arguments=(key, value))

    def __format__(self, form):
        return format(str(self), form)

    def __exit__(self, _kind, error, _trace):
        return self._agentclash_request("exit", error=error)

    async def __aenter__(self):
        return await self._agentclash_request("aenter")

    async def __aexit__(self, _kind, error, _trace):
        return await self._agentclash_request("aexit", error=error)

    def __aiter__(self):
        return self._agentclash_request("aiter")

    def __anext__(self):
        return self._agentclash_request("anext")


class Default:
    """The value of a default of a function of a test, which the code does not get."""


def signature_of(parameters):
    empty = inspect.Parameter.empty
    return inspect.Signature([
        inspect.Parameter(name, inspect._ParameterKind(kind), default=Default() if has_default else empty)
        for name, kind, has_default in parameters])


def unary(name):
    return lambda self: self._agentclash_request(name)


def binary(name):
    def perform(self, other):
        if name in ("eq", "ne") and other is self:
            return name == "eq"
        return self._agentclash_request(name, arguments=(other,))

    return perform


for each in UNARY:
    setattr(Callback, f"__{each}__", unary(each))
for each in BINARY:
    setattr(Callback, f"__{each}__", binary(each))


async def awaited(callback):
    """A coroutine of a test as one of this process."""
    return callback._agentclash_request("await")
