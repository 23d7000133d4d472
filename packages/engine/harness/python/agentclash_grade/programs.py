"""A program with the tests and one with the code: each test has processes of its own, one of each."""

import json
import os
import re
import resource
import selectors
import shutil
import signal
import socket
import subprocess
import tempfile

from . import protection
from .errors import SetupFailed

LINE_MAX = 64 * 1024
POLL_SECONDS = 0.1
REASON_MAX = 500
BUILD_CPU_SECONDS = 600
# A build all of whose processes wait for so long waits for ever: as for a process that a build script has left behind.
BUILD_WAIT_SECONDS = 20
BUILD_POLL_SECONDS = 0.5
WAITED = f"the build was ended: all of its processes waited for {BUILD_WAIT_SECONDS} s"
CHANGED = "agentclash-grade: the code has changed an argument, which a test sees with trust: [arguments] alone; "


class Run:
    """One test: the process that judges, and the one of the code."""

    def __init__(self, options, judge, code):
        self.options, self.judge, self.code, self.name = options, judge, code, ""
        self.result, self.reason, self.hint = "failed", "it did not run to its end", ""

    def outcome(self, name):
        folder = tempfile.mkdtemp()
        control, theirs = socket.socketpair()
        link, judge_link = socket.socketpair()
        program = os.path.join(folder, "judge.test")
        with tempfile.TemporaryFile() as printed:
            judge = start([program, *self.arguments()], self.judge, [theirs, judge_link], printed)
            theirs.close()
            self.name = name
            self.serve(judge, control, link, judge_link, folder)
            code = judge.wait()
            protection.kill_descendants()
            printed.seek(0)
            output = printed.read().decode(errors="replace")
        for each in (control, link, judge_link):
            each.close()
        shutil.rmtree(folder, ignore_errors=True)
        return self.decided(code, output)

    def decided(self, code, output):
        if self.result == "passed" and code != 0:
            self.result, self.reason = "failed", f"the tests ended with {code}"
        if self.result == "failed":
            return "failed", self.hint + (explained(output) or self.reason)
        return self.result, ""

    def settings(self):
        """Not given as arguments, which every process could read."""
        return json.dumps({"trustsArguments": "arguments" in self.options.trust, "name": self.name}).encode() + b"\n"

    def arguments(self):
        return []

    def serve(self, judge, control, link, judge_link, folder):
        """Takes reports until the judge has ended."""
        buffered, code = b"", None
        with selectors.DefaultSelector() as selector:
            selector.register(control, selectors.EVENT_READ)
            while True:
                ready = selector.select(POLL_SECONDS)
                if code is not None and code.poll() is not None and not ready:
                    # A process that it has started may hold its end of the connection.
                    judge_link.shutdown(socket.SHUT_RDWR)
                if not ready:
                    if judge.poll() is not None:
                        return
                    continue
                chunk = control.recv(LINE_MAX)
                if not chunk:
                    return
                buffered += chunk
                *lines, buffered = buffered.split(b"\n")
                for line in lines:
                    message = json.loads(line)
                    if "isReady" in message:
                        self.require_hidden(judge)
                        shutil.rmtree(folder)
                        code = self.start_code(link)
                        control.sendall(self.settings())
                    elif "hasChanged" in message:
                        self.hint = CHANGED
                    elif "ended" in message:
                        self.reason = message["ended"] + self.how(code)
                    elif message["name"] == self.name:
                        self.result = message["outcome"]

    def start_code(self, link):
        folder = tempfile.mkdtemp()
        limit = limit_cpu(max(1, round(self.options.cpu_seconds)))
        code = start([os.path.join(folder, "code")], self.code, [link], subprocess.DEVNULL, limit)
        link.close()
        return code

    def how(self, code):
        if code is None or code.poll() not in (-signal.SIGKILL, -signal.SIGXCPU):
            return ""
        return f": it was killed, as by its limit of {self.options.cpu_seconds} s of CPU"

    def require_hidden(self, judge):
        for name, flags in (("mem", os.O_RDWR), ("exe", os.O_RDONLY)):
            try:
                os.close(os.open(f"/proc/{judge.pid}/{name}", flags))
            except PermissionError:
                continue
            protection.kill_descendants()
            raise SetupFailed("this sandbox cannot hide the memory of the tests: run it without run_as_root")


def build(words, folder, environment):
    """Whether it succeeds, and what it prints. Nothing of it is left behind."""
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            words, cwd=folder, stdin=subprocess.DEVNULL, stdout=printed, stderr=printed, start_new_session=True,
            env=environment, preexec_fn=limit_cpu(BUILD_CPU_SECONDS))
        has_ended = ends(process)
        protection.kill_descendants()
        printed.seek(0)
        output = printed.read().decode(errors="replace")
        return (process.returncode == 0, output) if has_ended else (False, f"{output}\nerror: {WAITED}\n")


def ends(process):
    """False where it waits for ever. Polls are counted, and what is ready to run does not wait: a busy machine ends no build."""
    before, polls = None, 0
    while True:
        try:
            process.wait(BUILD_POLL_SECONDS)
            return True
        except subprocess.TimeoutExpired:
            now = protection.activity()
        polls = polls + 1 if now is not None and now == before else 0
        if polls * BUILD_POLL_SECONDS >= BUILD_WAIT_SECONDS:
            return False
        before = now


def start(words, content, connections, printed, prepare=None):
    write(words[0], content)
    os.chmod(words[0], 0o700)
    descriptors = [each.fileno() for each in connections]
    return subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=printed, stderr=printed, start_new_session=True,
        cwd=os.getcwd() if prepare else os.sep, pass_fds=descriptors, preexec_fn=prepare,
        env={**protection.clean_environment(), "AGENTCLASH_DESCRIPTORS": " ".join(map(str, descriptors))})


def limit_cpu(seconds):
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def write(path, content):
    """Never through a link that the code under test has left."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.lexists(path):
        os.unlink(path)
    with open(path, "xb") as file:
        file.write(content)


def read_text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def taken(path):
    with open(path, "rb") as file:
        content = file.read()
    os.unlink(path)
    return content


NOISE = re.compile(r"^(?:--- FAIL|FAIL|PASS|exit status|=== |goroutine |\s*panic\.go|\t?testing\.)")


def explained(output):
    lines = [line.strip() for line in output.splitlines() if line.strip() and not NOISE.match(line.strip())]
    return " ".join(lines)[:REASON_MAX]
