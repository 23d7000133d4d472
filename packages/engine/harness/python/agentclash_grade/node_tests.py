"""node:test. The tests run in a process of Node whose memory the kernel hides, and the code in another one; both are
connected through this process, which keeps the results."""

import json
import os
import pkgutil
import re
import selectors
import shutil
import signal
import struct
import subprocess
import tempfile

from . import protection, snapshot
from .errors import SetupFailed, Ungraded

OF_BOTH = ("wire.mjs", "errors.mjs", "library.mjs")
OF_JUDGE = (*OF_BOTH, "clock.mjs", "deciding.mjs", "exports.mjs", "files.mjs", "guards.mjs", "items.mjs", "iterators.mjs",
            "judge.mjs", "reporter.mjs", "waiting.mjs")
OF_CODE = (*OF_BOTH, "serve.mjs")
TEST_FILE = re.compile(r"\.test\.[cm]?js$")
NAME = re.compile(r"[A-Za-z_$][\w$]*")
POLL_SECONDS = 0.1
MESSAGE_BYTES_MAX = 16 * 1024 * 1024
PT_INTERP = 3
REASON_MAX = 500


class Ended(Exception):
    """A process has ended, or did not keep to the protocol."""


def run(grading):
    node = Node(grading)
    paths = grading.tests.matching(TEST_FILE.search) if len(grading.tests.files) > 1 else [*grading.tests.files]
    if not paths:
        raise SetupFailed(f"there are no tests at {grading.tests.root}: files *.test.js, *.test.mjs or *.test.cjs")
    planned = {path: [name for name, _, _ in node.collect(path)] for path in paths}
    for path, names in planned.items():
        prefix = os.path.relpath(path, grading.tests.folder) + ": " if len(planned) > 1 else ""
        for name in names:
            grading.results.plan(prefix + name)
        for name, outcome, reason in node.grade(path):
            # A name that was not planned is that of a test which the code under test let happen.
            if outcome != "passed" or name in names:
                grading.results.record(prefix + name, outcome, reason)


class Node:
    def __init__(self, grading):
        self.tests, self.options = grading.tests, grading.options
        if len(self.options.code) != 1:
            raise SetupFailed("name the module under test: --code solution.mjs")
        self.module = os.path.normpath(self.options.code[0])
        if self.module.startswith((os.sep, "..")) or not re.search(r"\.[cm]?js$", self.module):
            raise SetupFailed(f"{self.module} is no file *.js, *.mjs or *.cjs in the working directory")
        self.file = os.path.join(os.getcwd(), self.module)
        found = shutil.which("node")
        if found is None:
            raise SetupFailed("node is not installed: name an image, a template or additional_packages that have it")
        self.program = os.path.realpath(found)
        with open(interpreter_of(self.program), "rb") as file:
            self.loader = file.read()
        self.parts = {name: pkgutil.get_data(__package__, "node/" + name) for name in {*OF_JUDGE, *OF_CODE}}
        texts = [content.decode(errors="ignore") for path, content in self.tests.files.items() if path.endswith("js")]
        self.names = sorted({name for text in texts for name in NAME.findall(text)} - {"default"})

    def collect(self, path):
        """The names of the tests, before any code under test runs."""
        judge = Judge(self, path, {"isCollecting": True})
        results = judge.results(None)
        if not results:
            # It may depend on files of the workspace.
            raise Ungraded(f"there are no tests in {path}, or it cannot be loaded: {judge.errors()}")
        return results

    def grade(self, path):
        code = Code(self)
        try:
            described = json.loads(code.receive())
        except (Ended, ValueError, RecursionError) as error:
            described = {"error": str(error)}
        code.end()
        if not isinstance(described, dict) or not isinstance(described.get("members"), list):
            # Each planned test has failed.
            return []
        # Tests come back when nothing is left that could read them.
        return Judge(self, path, {"isCollecting": False, "members": described["members"]}).results(Code(self, is_waiting=True))

    def place_tests(self):
        """As they were, and beside them a module in place of the one under test."""
        self.tests.remove()
        for path, content in self.tests.files.items():
            write(path, content)
        file = os.path.join(snapshot.GRADER, self.module)
        if not os.path.lexists(file):
            write(file, (as_module if file.endswith(".mjs") else as_required)(self.names).encode())


def as_module(names):
    names = ["default", *names]
    lines = [f'let v{at} = globalThis.agentclashGrade.member("{name}");' for at, name in enumerate(names)]
    exports = ", ".join(f"v{at} as {name}" for at, name in enumerate(names))
    changes = ", ".join(f'"{name}": (value) => {{ v{at} = value; }}' for at, name in enumerate(names))
    return "\n".join([*lines, f"globalThis.agentclashGrade.bind({{ {changes} }});", f"export {{ {exports} }};"])


def as_required(names):
    listed = ", ".join(f'exports["{name}"] = 0' for name in names)
    return f"module.exports = globalThis.agentclashGrade.required({json.dumps(names)});\n0 && ({listed or 0});\n"


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "xb") as file:
        file.write(content)


def interpreter_of(program):
    """The loader that a program of ELF names."""
    with open(program, "rb") as file:
        head = file.read(65536)
    if head[:5] != b"\x7fELF\x02":
        raise SetupFailed(f"{program} is no program of 64 bits")
    (at,), (size, count) = struct.unpack_from("<Q", head, 32), struct.unpack_from("<HH", head, 54)
    for entry in range(at, at + size * count, size):
        if struct.unpack_from("<I", head, entry)[0] == PT_INTERP:
            (start,), (length,) = struct.unpack_from("<Q", head, entry + 8), struct.unpack_from("<Q", head, entry + 32)
            return head[start:start + length].rstrip(b"\0").decode()
    raise SetupFailed(f"{program} is linked statically: its memory cannot be hidden")


class Channel:
    """Messages to and from a process: a length, a letter and a text."""

    def __init__(self):
        self.read_end, self.their_write = os.pipe()
        self.their_read, self.write_end = os.pipe()

    def send(self, message, descriptor=None):
        data = struct.pack(">I", len(message)) + message
        while data:
            data = data[os.write(self.write_end if descriptor is None else descriptor, data):]

    def read(self, check):
        (length,) = struct.unpack(">I", self.read_bytes(4, check))
        if not 0 < length <= MESSAGE_BYTES_MAX:
            raise Ended("a message is too large")
        return self.read_bytes(length, check)

    def read_bytes(self, length, check):
        data = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self.read_end, selectors.EVENT_READ)
            while len(data) < length:
                if not selector.select(POLL_SECONDS):
                    check()
                    continue
                chunk = os.read(self.read_end, min(65536, length - len(data)))
                if not chunk:
                    raise Ended("the process has ended")
                data += chunk
        return bytes(data)

    def close_theirs(self):
        os.close(self.their_read)
        os.close(self.their_write)

    def close(self):
        os.close(self.read_end)
        os.close(self.write_end)


class Code:
    """The process of the code under test."""

    def __init__(self, node, is_waiting=False):
        self.node, self.process = node, None
        if not is_waiting:
            self.start()

    def start(self):
        folder = tempfile.mkdtemp()
        for name in OF_CODE:
            write(os.path.join(folder, name), self.node.parts[name])
        self.channel = Channel()
        nested_read, self.nested = os.pipe()
        descriptors = [self.channel.their_read, self.channel.their_write, nested_read]
        self.process = subprocess.Popen(
            [self.node.program, os.path.join(folder, "serve.mjs"), *map(str, descriptors), self.node.file],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=descriptors, start_new_session=True, env=protection.clean_environment())
        os.close(nested_read)
        self.channel.close_theirs()
        self.restart_clock()

    def request(self, kind, message):
        """Starts it on the first request, when the tests are gone."""
        if self.process is None:
            self.node.tests.remove()
            self.start()
            self.receive()
        self.restart_clock()
        self.channel.send(kind + message, self.nested if kind == b"N" else None)
        return self.receive()

    def restart_clock(self):
        self.limit = protection.cpu_seconds(self.process.pid) + self.node.options.cpu_seconds

    def receive(self):
        message = self.channel.read(self.check)
        if message[:1] != b"C":
            raise Ended("the code under test did not keep to the protocol")
        return message[1:]

    def check(self):
        if self.process.poll() is not None:
            raise Ended("the process of the code under test has ended")
        if protection.cpu_seconds(self.process.pid) > self.limit:
            raise Ended(f"a call of the code under test took more than {self.node.options.cpu_seconds} s of CPU")

    def end(self):
        """And all that it has started; there is no other process at this time."""
        protection.kill_descendants()
        self.process.poll()
        self.channel.close()
        os.close(self.nested)


class Judge:
    """The process that runs one file of tests."""

    def __init__(self, node, path, settings):
        self.node, self.settings = node, settings
        node.place_tests()
        folder = tempfile.mkdtemp()
        for name in OF_JUDGE:
            write(os.path.join(folder, name), node.parts[name])
        # The kernel hides a process whose program its user may not read from all processes of that user.
        loader = os.path.join(folder, "ld")
        write(loader, node.loader)
        os.chmod(loader, 0o111)
        self.channel = Channel()
        descriptors = [self.channel.their_read, self.channel.their_write]
        channel = f"export const [fromParent, toParent] = {descriptors};"
        write(os.path.join(folder, "channel.mjs"), channel.encode())
        judge, reporter = (os.path.join(folder, name) for name in ("judge.mjs", "reporter.mjs"))
        self.printed = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [loader, node.program, "--import", judge, "--test-reporter", reporter,
             "--test-reporter-destination", "/dev/null", path],
            stdin=subprocess.DEVNULL, stdout=self.printed, stderr=self.printed, cwd=snapshot.GRADER,
            pass_fds=descriptors, start_new_session=True,
            env={**protection.clean_environment(), "HOME": folder})
        self.channel.close_theirs()

    def results(self, code):
        """Of each test that has ended: its name, its outcome, a reason."""
        found, counts = [], {}
        while True:
            try:
                message = self.channel.read(self.check)
            except Ended:
                break
            kind, text = message[:1], message[1:]
            if kind == b"H":
                self.require_hidden()
                self.channel.send(b"S" + json.dumps(self.settings).encode())
            elif kind == b"T":
                result = json.loads(text)
                counts[result["name"]] = number = counts.get(result["name"], 0) + 1
                name = result["name"] + (f" ({number})" if number > 1 else "")
                found.append((name, result["outcome"], result["reason"]))
            else:
                self.channel.send(self.reply(code, kind, text))
        self.process.wait()
        if code is not None and self.process.returncode not in (0, 1):
            # A killed judge leaves no report.
            os.kill(os.getpid(), signal.SIGKILL)
        if code is not None and code.process is not None:
            code.end()
        self.channel.close()
        return found

    def reply(self, code, kind, text):
        try:
            return b"C" + code.request(kind, text)
        except (Ended, OSError) as error:
            return b"X" + (str(error) if isinstance(error, Ended) else "the code under test has ended").encode()

    def check(self):
        if self.process.poll() is not None:
            raise Ended

    def require_hidden(self):
        try:
            os.close(os.open(f"/proc/{self.process.pid}/mem", os.O_RDWR))
        except PermissionError:
            return
        protection.kill_descendants()
        raise SetupFailed("this sandbox cannot hide the memory of Node: run it without run_as_root")

    def errors(self):
        self.printed.seek(0)
        return " ".join(self.printed.read().decode(errors="replace").split())[:REASON_MAX]
