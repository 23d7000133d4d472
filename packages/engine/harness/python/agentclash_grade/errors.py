"""Errors of the pack."""


class SetupFailed(Exception):
    """The pack, not the code under test, is the reason that nothing can be graded."""
