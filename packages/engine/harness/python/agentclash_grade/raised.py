"""Errors between the judge and the code under test: those of Python by their names, with the attributes that Python gives them."""

import builtins
import dis
import inspect
import sys
import types

ATTRIBUTES = ("errno", "strerror", "filename", "filename2", "code", "value", "encoding", "object", "start", "end", "reason",
              "name", "path", "msg", "doc", "pos", "lineno", "colno", "offset", "text", "returncode", "cmd", "output", "stderr")
# Modules whose errors have a meaning to test runners.
OF_RUNNERS = ("unittest", "doctest", "bdb", "pdb", "test")
OF_PYTHON = (types.MemberDescriptorType, types.GetSetDescriptorType)
CAUSES_MAX = 8


def is_builtin(kind):
    return getattr(builtins, kind.__name__, None) is kind


def library_name(kind):
    """[module, qualified name] of an error of the standard library; None of others."""
    module, names = kind.__module__, kind.__qualname__
    found = find(module, names) if isinstance(module, str) else None
    return [module, names] if found is kind else None


def find(module, names):
    """An error of a module of the standard library that is loaded; nothing is imported for it."""
    top = module.partition(".")[0]
    if top in OF_RUNNERS or top not in getattr(sys, "stdlib_module_names", ()):
        return None
    found = sys.modules.get(module)
    for name in names.split("."):
        found = getattr(found, name, None)
    return found if isinstance(found, type) and issubclass(found, Exception) else None


def attributes(error):
    """Those of Python that an error has; of a class of the code none that it defines itself."""
    kind = type(error)
    is_of_python = is_builtin(kind) or library_name(kind) is not None
    found = {}
    for name in ATTRIBUTES:
        if is_of_python or isinstance(inspect.getattr_static(kind, name, None), OF_PYTHON):
            value = getattr(error, name, None)
            if value is not None and not callable(value):
                found[name] = value
    return found


def set_attributes(error, found):
    for name, value in found.items():
        if name in ATTRIBUTES:
            try:
                setattr(error, name, value)
            except (AttributeError, TypeError, ValueError):
                pass


def builtin_base(kind):
    """The name of the nearest built-in class."""
    return next(each.__name__ for each in kind.__mro__ if is_builtin(each))


def is_raised_in(trace):
    """True where a test has raised an error by `raise`, in the block whose end gets it."""
    if trace is None or trace.tb_next is not None or "__agentclash_test__" not in trace.tb_frame.f_globals:
        return False
    return dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"
