"""Values as short JSON, for the reasons of results: nothing is graded by it."""

import json

TEXT_MAX = 100


def text(value, plain=lambda value: value):
    """JSON of at most TEXT_MAX characters. `plain` makes a value of Python of one of the code."""
    try:
        whole = json.dumps(copied(value, plain, [TEXT_MAX]), ensure_ascii=False)
    except BaseException:  # The code may raise anything where it is read, and its outcome is known already.
        return "another value"
    return whole if len(whole) <= TEXT_MAX else whole[:TEXT_MAX - 1] + "\u2026"


def copied(value, plain, left):
    """
    A copy of the beginning, of plain values alone. `left` values are copied: the text has no more, and a list that has itself or
    another one many times would otherwise be copied without an end.
    """
    left[0] -= 1
    if left[0] < 0:
        return None
    value = plain(value)
    if value is None or type(value) in (bool, int, float):
        return value
    if type(value) is str:
        return value[:TEXT_MAX]
    if type(value) in (list, tuple):
        return [copied(each, plain, left) for each in value[:TEXT_MAX]]
    if type(value) is dict:
        return {copied(key, plain, left): copied(value[key], plain, left) for key in list(value)[:TEXT_MAX]}
    raise TypeError("an object has no text but what the code makes")
