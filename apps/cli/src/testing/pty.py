"""Runs a program on a pseudo-terminal of its own.

usage: pty.py COLUMNS ROWS PROGRAM [ARGUMENT...]

What the program writes goes to stdout as it is. Lines of JSON on stdin describe what its user does:
{"type": "text"} types, {"resize": [columns, rows]} changes the size of the window. Ends as the program does;
128 and the number of the signal when one killed it.
"""

import fcntl
import json
import os
import select
import struct
import subprocess
import sys
import termios


def resize(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def act(fd, line):
    act = json.loads(line)
    if "type" in act:
        os.write(fd, act["type"].encode())
    if "resize" in act:
        resize(fd, *act["resize"])


def forward(fd):
    """Whether there may be more."""
    try:
        output = os.read(fd, 65536)
    except OSError:  # The last user of the terminal is gone.
        return False
    sys.stdout.buffer.write(output)
    sys.stdout.buffer.flush()
    return bool(output)


def main(columns, rows, *words):
    ours, theirs = os.openpty()
    resize(ours, int(columns), int(rows))
    child = subprocess.Popen(
        words,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    acts = sys.stdin.buffer
    watched = [ours, acts]
    pending = b""
    while True:
        ready, _, _ = select.select(watched, [], [])
        if acts in ready:
            got = os.read(acts.fileno(), 65536)
            if not got:
                watched.remove(acts)
                child.kill()
            *lines, pending = (pending + got).split(b"\n")
            for line in lines:
                act(ours, line)
        if ours in ready and not forward(ours):
            break
    code = child.wait()
    return 128 - code if code < 0 else code


sys.exit(main(*sys.argv[1:]))
