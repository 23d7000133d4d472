"""Lists, dicts and sets that objects of tests hold, in the process of the code under test: what the code changes in such a
copy, or in one within it, is changed in the object of the test."""

import collections

CHANGING = {
    list: ("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "__setitem__", "__delitem__", "__iadd__", "__imul__"),
    dict: ("update", "setdefault", "pop", "popitem", "clear", "__setitem__", "__delitem__", "__ior__"),
    set: ("add", "discard", "remove", "pop", "clear", "update", "difference_update", "intersection_update",
          "symmetric_difference_update", "__iand__", "__ior__", "__ixor__", "__isub__"),
    collections.deque: ("append", "appendleft", "extend", "extendleft", "pop", "popleft", "insert", "remove", "clear", "reverse",
                        "rotate", "__setitem__", "__delitem__", "__iadd__"),
}


def changing(base, name):
    original = getattr(base, name)

    def change(self, *arguments, **named):
        result = original(self, *arguments, **named)
        root = self._agentclash_root
        hold(self, root)
        owner, member = root._agentclash_owner
        owner._agentclash_request("replace", member, (plain(root),))
        return base.__getitem__(self, arguments[0]) if name == "setdefault" else result

    return change


TYPES = {
    base: type(base.__name__, (base,), {"_agentclash_root": None, "_agentclash_owner": None,
                                        **{name: changing(base, name) for name in names}})
    for base, names in CHANGING.items()
}
BASES = {kind: base for base, kind in TYPES.items()}


def held(owner, member, value):
    if type(value) not in TYPES:
        return value
    root = TYPES[type(value)](value)
    root._agentclash_owner = (owner, member)
    hold(root, root)
    return root


def hold(container, root):
    """Makes what is within a container part of it too."""
    container._agentclash_root = root
    base = BASES[type(container)]
    if base is set:
        return
    for key, value in list(base.items(container) if base is dict else enumerate(base.__iter__(container))):
        kind = TYPES.get(type(value))
        if kind is not None or type(value) in BASES:
            value = value if kind is None else kind(value)
            base.__setitem__(container, key, value)
            hold(value, root)


def plain(value):
    base = BASES.get(type(value), type(value))
    if base is dict:
        return {key: plain(item) for key, item in dict.items(value)}
    return base(plain(item) for item in base.__iter__(value)) if base in TYPES else value
