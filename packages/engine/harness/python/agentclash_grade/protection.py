"""What keeps the code under test from the process that judges it."""

import ctypes
import os
import pathlib
import signal
import sys

PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36


def protect():
    """No process of this user can look into this one, orphans become its children, and what was not foreseen kills it:
    a run that was killed has no report, whatever lies at its path."""
    sys.excepthook = end_unforeseen
    sys.dont_write_bytecode = True
    libc = ctypes.CDLL(None, use_errno=True)
    for option, value in ((PR_SET_DUMPABLE, 0), (PR_SET_CHILD_SUBREAPER, 1)):
        if libc.prctl(option, value, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")


def end_unforeseen(kind, error, _trace):
    print("agentclash-grade:", kind.__name__ + ":", error, file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def children():
    """Of all threads of this process."""
    found = []
    for task in pathlib.Path("/proc/self/task").iterdir():
        try:
            found += map(int, (task / "children").read_text().split())
        except OSError:
            pass
    return found


def activity():
    """The CPU time of each thread of all descendants; None while one of them runs, or is ready to run, or waits for a disk."""
    found, left = [], children()
    while left:
        task_folder = pathlib.Path(f"/proc/{left.pop()}/task")
        try:
            for task in task_folder.iterdir():
                left += map(int, (task / "children").read_text().split())
                fields = (task / "stat").read_text().rpartition(")")[2].split()
                if fields[0] in "RD":
                    return None
                found.append((task.name, *fields[11:13]))
        except OSError:
            # One has ended.
            return None
    return sorted(found)


def kill_descendants():
    """Until none is left, for one that is killed may have left others."""
    while True:
        pids = children()
        if not pids:
            return
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        for pid in pids:
            try:
                os.waitpid(pid, 0)
            except OSError:
                pass


def cpu_seconds(pid):
    """User and system time of a process and of its children that have ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def clean_environment():
    """Of a process that runs code under test: nothing that a harness was given."""
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "AGENTCLASH_PHASE")
    return {name: os.environ[name] for name in kept if name in os.environ}
