"""agentclash-grade: grades code that may be hostile. Run as `python3 -I` on this directory."""

import sys

from agentclash_grade import serve

if sys.argv[1:2] == ["serve"]:
    sys.path.pop(0)
    serve.main(sys.argv[2:])
else:
    from agentclash_grade import command

    # Everything is loaded by now: no file of this directory is read once code under test runs.
    sys.path.pop(0)
    command.main(sys.argv[1:])
