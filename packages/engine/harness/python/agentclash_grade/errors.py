"""Why nothing can be graded."""


class SetupFailed(Exception):
    """The pack is the reason, whatever the code under test is: raised from the tests and the image alone, before that
    code runs."""


class Ungraded(Exception):
    """The code under test, or the files beside it, may be the reason."""
