"""Values that a test has read of objects of the code.

Between two calls of the code the same read gives the same value: an object that is less than ten at its first read and more
than five at its second one would pass tests without one value that does. The items of a container are as many as its
length."""

import time

# Operations that read. Each other one may change what is read, and so may time, for which tests wait by time.sleep.
READING = ("get", "len", "bool", "int", "float", "complex", "index", "str", "repr", "bytes", "format", "abs", "getitem",
           "contains", "isinstance", "issubclass", "owns_hash")
# A loop that waits without time.sleep sees a change at last.
REPEATED_MAX = 100


class Reads:
    def __init__(self):
        self.values = {}
        sleep = time.sleep

        def slept(seconds):
            self.values.clear()
            return sleep(seconds)

        time.sleep = slept

    def get(self, key, read):
        """The value of `key` of the last read, or that of `read()`."""
        value, count = self.values.get(key, (None, 0))
        if count == 0 or count >= REPEATED_MAX:
            value, count = read(), 0
        self.values[key] = (value, count + 1)
        return value

    def known(self, key):
        """The value of the last read; None where there is none."""
        return self.values.get(key, (None, 0))[0]

    def clear(self):
        self.values.clear()


class Items:
    """The items that one iteration of a container gave, for each further one until the code is called."""

    def __init__(self, read_next):
        self.read_next, self.items, self.is_whole = read_next, [], False

    def __iter__(self):
        at = 0
        while at < len(self.items) or self.more():
            yield self.items[at]
            at += 1

    def more(self):
        if self.is_whole:
            return False
        try:
            self.items.append(self.read_next())
            return True
        except StopIteration:
            self.is_whole = True
            return False

    def are(self, length):
        """True when there are so many; no more than one further item is read."""
        while len(self.items) <= length and self.more():
            pass
        return len(self.items) == length
