"""Errors by which a test ends that would let the code under test decide, and their reasons."""

UNTRUSTED = (
    "agentclash-grade: the code under test would decide this comparison about its own object; "
    "compare plain values, or set trust: [equality]"
)
UNTRUSTED_RESULT = (
    "agentclash-grade: the code under test computes this from a value of the test, and could choose what passes; "
    "compare plain values or members, or set trust: [equality]"
)
UNTRUSTED_HASH = (
    "agentclash-grade: the code under test would decide by __hash__ and __eq__ which of its objects are one; compare their "
    "members, or set trust: [equality]"
)
UNTRUSTED_LENGTH = (
    "agentclash-grade: the length of this object of the code under test is not the number of its items; "
    "compare its items, or set trust: [equality]"
)
UNTRUSTED_METHOD = (
    "agentclash-grade: this method of an object of the code under test would get a value of the test, and could agree with it; "
    "check the type of the object first, compare plain values, make the object by the name of its class, or set trust: [equality]"
)
UNTRUSTED_ALIAS = (
    "agentclash-grade: this name of the enumeration of the code under test is an alias of another member; compare names or values"
)
UNTRUSTED_PLACE = (
    "agentclash-grade: the code under test has put an object of its own in the place of a mock of the test"
)


class CodeEnded(BaseException):
    """The process of the code under test is gone, did not keep to the protocol, or could not import the code. No
    `except Exception` of a test, and no `raises(Exception)`, takes it for an error that the code was to raise."""


class UntrustedComparison(AssertionError):
    pass
