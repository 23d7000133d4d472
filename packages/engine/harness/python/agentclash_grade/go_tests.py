"""go test. The tests are compiled with a package that has the names of the one under test, and whose functions are
requests to another process: the one that has the code. All that is compiled with the tests is written by this harness."""

import base64
import json
import os
import pkgutil
import re
import secrets
import shutil
import subprocess
import tempfile

from . import protection
from .errors import SetupFailed, Ungraded
from .programs import BUILD_CPU_SECONDS, Run, build, limit_cpu, read_text, taken, write

PEER = "agentclash.invalid/peer"
SOURCES = {
    "peer": ["registry.go", "connection.go", "encode.go", "decode.go", "handles.go", "dynamic.go", "errors.go"],
    "judge": ["judge.go"],
    "code": ["code.go"],
    "inspect": ["main.go", "tests.go", "load.go", "carry.go", "write.go"],
}
OLDEST = (1, 19)
# Of the language, where a go.mod names an older version than the generated code needs.
OLD_LANGUAGE = re.compile(r"^go[ \t]+1\.(?:\d|1[0-8])(?:\.\d+)?[ \t]*(?://.*)?$", re.MULTILINE)
LANGUAGE = re.compile(r"^go[ \t]", re.MULTILINE)
REASON_MAX = 500


def run(grading):
    go = Go(grading.options)
    try:
        grade(grading, go)
    finally:
        shutil.rmtree(go.folder, ignore_errors=True)


def grade(grading, go):
    tests, results = grading.tests, grading.results
    files = {os.path.relpath(path, tests.folder): content for path, content in tests.files.items()}
    found = go.inspect(files)
    for name in found["Names"]:
        results.plan(name)
    judge, reason = (None, found["Code"]) if found["Code"] else go.build_judge(found)
    if judge is not None:
        # From here on code that the agent has written may run; the tests are in memory alone.
        code, reason = go.build_code(found)
    for name in found["Names"]:
        outcome = ("failed", reason) if reason else Run(go.options, judge, code).outcome(name)
        results.record(name, *outcome)


class Go:
    def __init__(self, options):
        self.options = options
        if len(options.code) != 1:
            raise SetupFailed("name the folder of the package under test: --code .")
        self.root = os.path.realpath(os.getcwd())
        self.package = os.path.realpath(options.code[0])
        if os.path.normpath(options.code[0]).startswith((os.sep, "..")):
            raise SetupFailed(f"{options.code[0]} is no folder in the working directory")
        found = shutil.which("go")
        if found is None:
            raise SetupFailed("go is not installed: add golang-go to additional_packages of the sandbox, or name an image that has it")
        self.program, self.folder = os.path.realpath(found), tempfile.mkdtemp()
        self.environment = {
            **protection.clean_environment(), "HOME": self.folder, "GOPATH": os.path.join(self.folder, "path"),
            "GOCACHE": os.path.join(self.folder, "cache"), "GOENV": "off", "GOWORK": "off", "GOPROXY": "off", "GOSUMDB": "off",
            "GOTOOLCHAIN": "local", "GOTELEMETRY": "off", "GO111MODULE": "on", "CGO_ENABLED": "0", "GODEBUG": "gotypesalias=0"}
        self.version = self.installed_version()

    def installed_version(self):
        printed = self.run(["env", "GOVERSION"], self.folder)[1]
        match = re.match(r"go(\d+)\.(\d+)", printed)
        if match is None:
            raise Ungraded(f"the version of go is unknown: {printed[-REASON_MAX:]}")
        if (int(match[1]), int(match[2])) < OLDEST:
            raise SetupFailed(f"go is {printed.strip()}: Go 1.19 or newer is needed")
        return f"{match[1]}.{match[2]}"

    def inspect(self, tests):
        """What the tests are compiled with, from a reading of the code that runs none of it."""
        folder = self.place("inspect", "inspect")
        write(os.path.join(folder, "go.mod"), f"module inspect\n\ngo {self.version}\n".encode())
        program = os.path.join(self.folder, "inspector")
        is_built, printed = self.run(["build", "-o", program, "."], folder)
        if not is_built:
            # A full disk is enough.
            raise Ungraded(f"the installed Go does not work: {printed[-REASON_MAX:]}")
        encoded = {name: base64.b64encode(content).decode() for name, content in tests.items()}
        tests_alone = {"Root": self.root, "Package": "", "Tests": encoded}
        found = self.inspected(program, {**tests_alone, "Package": self.package})
        if found is None:
            found = self.inspected(program, tests_alone)
            found["Code"] = "the code cannot be read"
        if found["Pack"]:
            alone = self.inspected(program, tests_alone)
            raise (SetupFailed if alone and alone["Pack"] else Ungraded)(found["Pack"])
        return found

    def inspected(self, program, wanted):
        read = subprocess.run(
            [program], input=json.dumps(wanted).encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=self.folder, env={**self.environment, "GO111MODULE": "off"}, preexec_fn=limit_cpu(BUILD_CPU_SECONDS))
        return json.loads(read.stdout) if read.returncode == 0 else None

    def build_judge(self, found):
        """The bytes of a program that runs the tests, or a reason."""
        module = os.path.join(self.folder, "judge")
        package = os.path.normpath(os.path.join(module, found["Folder"]))
        peer = self.place_peer(module, "judge")
        write(os.path.join(module, "go.mod"), f"module {found['Module']}\n\ngo {self.version}\n".encode())
        names = {**found["Tests"], "agentclash_proxy.go": found["Proxy"]}
        for name, text in names.items():
            write(os.path.join(package, name), text.replace(PEER, f"{found['Module']}/{peer}").encode())
        program = os.path.join(self.folder, "judge.test")
        # A cache of its own: compiled tests stay in it.
        cache = os.path.join(self.folder, "cache-of-tests")
        shutil.copytree(self.environment["GOCACHE"], cache, copy_function=os.link)
        is_built, printed = self.run(["test", "-c", "-vet=off", "-o", program, "."], package, {"GOCACHE": cache})
        for each in (module, cache):
            shutil.rmtree(each)
        if is_built:
            return taken(program), ""
        omitted = found["Omitted"] or {}
        for name, reason in omitted.items():
            if re.search(rf"\b{re.escape(name.rpartition('.')[2])}\b", printed):
                raise Ungraded(f"the tests use {name}, which cannot be given to another process: {reason}. "
                               "Test it by other functions, or grade a program with the adapter cases")
        return None, "the tests do not compile with this code: " + first_errors(printed)

    def build_code(self, found):
        """The bytes of a program that has the code, or a reason. The tests are on no disk."""
        module = os.path.join(self.folder, "code")
        try:
            shutil.copytree(self.root, module, symlinks=True)
        except (shutil.Error, OSError):
            pass
        module = os.path.normpath(os.path.join(module, found["Depth"]))
        try:
            peer = self.place_peer(module, "code")
            path = os.path.join(module, "go.mod")
            text = read_text(path)
            text = OLD_LANGUAGE.sub("go 1.19", text) if LANGUAGE.search(text) else text + "\ngo 1.19\n"
            write(path, text.encode())
            served = os.path.normpath(os.path.join(module, found["Folder"], "agentclash_serve.go"))
            write(served, found["Server"].replace(PEER, f"{found['Module']}/{peer}").encode())
            main = os.path.join(module, peer, "main")
            write(os.path.join(main, "main.go"), (
                f'package main\n\nimport code "{found["ImportPath"]}"\n\nfunc main() {{ code.AgentclashServe() }}\n').encode())
        except OSError as error:
            return None, f"the code cannot be read: {error.strerror}"
        program = os.path.join(self.folder, "code.program")
        is_built, printed = self.run(["build", "-o", program, "."], main)
        shutil.rmtree(os.path.join(self.folder, "code"), ignore_errors=True)
        return (taken(program), "") if is_built else (None, "it does not compile: " + first_errors(printed))

    def place_peer(self, module, side):
        """Its name is one that the code cannot have."""
        name = "agentclashpeer" + secrets.token_hex(8)
        self.place(os.path.join(module, name), "peer", side)
        return name

    def place(self, folder, *parts):
        folder = os.path.join(self.folder, folder)
        for part in parts:
            for name in SOURCES[part]:
                write(os.path.join(folder, name), pkgutil.get_data(__package__, f"go/{part}/{name}"))
        return folder

    def run(self, words, folder, changes={}):
        """Whether it succeeds, and what it prints."""
        return build([self.program, *words], folder, {**self.environment, **changes})


def first_errors(printed):
    lines = [line.strip() for line in printed.splitlines() if line.strip() and not line.startswith("#")]
    return "; ".join(lines)[:REASON_MAX]
