"""Named tuples, which are copied: the objects of the code in them are their members as those of an object of the code."""

import functools

from . import proxies


def guard_fields(copy):
    """Each copy has a class of its own."""
    kind = type(copy)
    for name, found in zip(kind._fields, copy):
        if name not in (*proxies.DECIDING, *proxies.ITEMS) or not isinstance(found, proxies.RemoteObject):
            continue
        link = object.__getattribute__(found, "_link")
        if not link.trusts_equality:
            setattr(kind, name, property(functools.partial(member, name, found)))
            kind.__len__ = functools.partialmethod(read_length, link)
    return copy


def member(name, found, copy):
    if name in proxies.DECIDING:
        raise proxies.UntrustedComparison(proxies.UNTRUSTED)
    object.__setattr__(found, "_items_of", copy)
    return found


def read_length(copy, link):
    """Kept as read, for the number of its items."""
    link.reads.get(proxies.length_of(copy), lambda: copy)
    return tuple.__len__(copy)
