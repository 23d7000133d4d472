"""Members of enumerations of the code under test, copied."""

import functools

from .untrusted import UNTRUSTED_ALIAS, UntrustedComparison

# Types of which a member may be a value too: `class Level(str, Enum)`, `IntEnum`.
DATA = (str, int, float, bytes)


class RemoteMember:
    """A member of an enumeration: equal to another of the same class, name and value. One that is a text or number as
    well is compared as that."""

    def __getattr__(self, name):
        if self.__dict__.get("_is_data"):
            raise AttributeError(name)
        return getattr(self._remote, name)

    def as_data(self):
        """Without the members that the code computes."""
        return make(self._remote, self._kind, self.name, self.value, data=self._data, is_data=True)

    def __eq__(self, other):
        if not isinstance(other, RemoteMember):
            return False if self._data is None else self._data == other
        # Members that are all aliases of one would be equal to whatever is expected.
        if self.__dict__.get("_alias") != other.__dict__.get("_alias"):
            raise UntrustedComparison(UNTRUSTED_ALIAS)
        if self._kind != other._kind and self._data is not None:
            return self._data == other._data
        return (self._kind, self.name, self.value) == (other._kind, other.name, other.value)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((self._kind, self.name) if self._data is None else self._data)

    def __str__(self):
        return repr(self) if self._is_data else str(self._remote)

    def __format__(self, form):
        return format(str(self), form) if self._is_data else format(self._remote, form)

    def __repr__(self):
        return f"<{self._kind}.{self.name} of the code under test>"


@functools.lru_cache(maxsize=None)
def member_type(base):
    return type("RemoteMember", (RemoteMember, base), {})


def make(remote, kind, name, value, data=None, is_data=False):
    """`data` is the text or number that the member is, None of other enumerations."""
    made = RemoteMember() if type(data) not in DATA else member_type(type(data))(data)
    made.__dict__.update(_remote=remote, _kind=kind, name=name, value=value, _data=data, _is_data=is_data)
    return made
