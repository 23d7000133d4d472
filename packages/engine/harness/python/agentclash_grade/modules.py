"""Modules of the code under test, as tests import them."""

import types

from .proxies import CodeEnded


class RemoteModule(types.ModuleType):
    """A module of the code. While tests are collected nothing of it fails: a module that cannot be imported, or lacks a
    name, fails the tests that use it, and no fewer."""

    def __init__(self, name, link):
        super().__init__(name)
        self.__dict__.update(_agentclash_link=link, _agentclash_error=None)

    def __getattr__(self, name):
        if name == "__all__":
            raise ImportError("agentclash-grade: name what is imported from the code under test, one by one")
        if name in ("__path__", "__file__", "__wrapped__") or name.startswith(("_pytest", "pytest", "__agentclash")):
            raise AttributeError(name)
        link, error = self.__dict__["_agentclash_link"], self.__dict__["_agentclash_error"]
        try:
            if error is not None:
                raise error
            found = link.request({"op": "get", "on": ["p", [self.__name__]], "name": name,
                                  "path": [self.__name__, name]})
            return link.placed_as((self.__name__, name), found)
        except BaseException as raised:
            if is_collecting():
                return Failed(raised)
            raise

    def __setattr__(self, name, value):
        if name.startswith("__") or isinstance(value, RemoteModule):
            super().__setattr__(name, value)
            return
        link = self.__dict__["_agentclash_link"]
        link.request({"op": "set", "on": ["p", [self.__name__]], "name": name, "args": [link.encode(value)]})
        link.place((self.__name__, name), value)

    def __delattr__(self, name):
        link = self.__dict__["_agentclash_link"]
        link.request({"op": "del", "on": ["p", [self.__name__]], "name": name})
        link.place((self.__name__, name), None)


class Failed:
    """A member that could not be had when tests were collected. Every use of it ends the test: not by the error that the
    code has raised, which the test may expect of it."""

    def __init__(self, error):
        object.__setattr__(self, "_error", error)

    def __getattr__(self, name):
        self.__call__()

    def __call__(self, *_, **__):
        error = object.__getattribute__(self, "_error")
        raise CodeEnded(f"{type(error).__name__}: {error}")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __len__ = __iter__ = __getitem__ = __call__
    __contains__ = __add__ = __sub__ = __mul__ = __enter__ = __exit__ = __int__ = __float__ = __index__ = __call__

    def __hash__(self):
        return id(self)


COLLECTING = {"now": False}


def is_collecting():
    return COLLECTING["now"]
