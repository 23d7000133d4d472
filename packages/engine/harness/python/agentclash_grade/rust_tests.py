"""cargo test. The tests are compiled with a crate that has the names of the one under test, and whose functions are
requests to another process: the one that has the code. That crate is written from the interface that lies beside the tests,
so that no build script, macro or setting of the code is near to what judges."""

import json
import os
import pkgutil
import re
import shutil
import socket
import tempfile

from . import protection
from .errors import SetupFailed, Ungraded
from .programs import Run, build, explained, read_text, start, taken, write
from .rust_interface import Interface

INTERFACE = "interface.rs"
EDITION = "2021"
OLDEST = (1, 63)
REASON_MAX = 500
COMPILER_ERROR = re.compile(r"^\S+\.rs:\d+:\d+: error.*$", re.MULTILINE)
ERROR = re.compile(r"^.*\berror(?:\[\w+\])?: .*$", re.MULTILINE)
PACKAGE = re.compile(r"^[ \t]*\[package\][ \t]*(?:#.*)?$(.*?)(?=^[ \t]*\[|\Z)", re.MULTILINE | re.DOTALL)
PACKAGE_NAME = re.compile(r"""^[ \t]*name[ \t]*=[ \t]*["']([A-Za-z_][\w-]*)["']""", re.MULTILINE)
RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;", re.MULTILINE)
LISTED = re.compile(r"^(\S+): test$", re.MULTILINE)
# The memory of the tests is hidden, and their arguments arrive, before `main`.
START = """
#[used]
#[link_section = ".init_array"]
static AGENTCLASH_START: extern "C" fn(i32, *mut *mut u8) = ::%s::agentclash::judge::start;
"""
MANIFEST = """[package]
name = "agentclash-program"
version = "0.0.0"
edition = "2021"

[dependencies]
code = { path = %s, package = %s }

[profile.dev]
debug = false
incremental = false

[workspace]
"""


def run(grading):
    rust = Rust(grading.options)
    try:
        grade(grading, rust)
    finally:
        shutil.rmtree(rust.folder, ignore_errors=True)


def grade(grading, rust):
    tests, results = grading.tests, grading.results
    files = {os.path.relpath(path, tests.folder): content for path, content in tests.files.items()}
    if INTERFACE not in files:
        raise SetupFailed(f"there is no {INTERFACE} beside the tests, which declares what they use of the code")
    interface = Interface(files.pop(INTERFACE).decode(errors="replace"))
    judges = rust.build_judges(interface, files)
    names = [(f"{stem}::{name}", name, judge) for stem, judge in judges.items() for name in listed(judge)]
    if not names:
        raise SetupFailed("there are no functions with #[test]")
    for shown, _, _ in names:
        results.plan(shown)
    # From here on code that the agent has written may run; the tests are in memory alone.
    code, reason = rust.build_code(interface)
    for shown, name, judge in names:
        results.record(shown, *(("failed", reason) if reason else RustRun(rust.options, judge, code).outcome(name)))


class Rust:
    def __init__(self, options):
        self.options = options
        if len(options.code) != 1:
            raise SetupFailed("name the folder of the package under test: --code .")
        if options.trust:
            raise SetupFailed("cargo_test takes no --trust: the interface declares what the code may change, as &mut")
        if os.path.normpath(options.code[0]).startswith((os.sep, "..")):
            raise SetupFailed(f"{options.code[0]} is no folder in the working directory")
        self.package, self.root = os.path.normpath(options.code[0]), os.path.realpath(os.getcwd())
        self.programs = {name: shutil.which(name) for name in ("cargo", "rustc")}
        for name, found in self.programs.items():
            if found is None:
                raise SetupFailed(
                    f"{name} is not installed: add cargo to additional_packages of the sandbox, or name an image that has it")
        self.folder = tempfile.mkdtemp()
        kept = {name: os.environ[name] for name in ("RUSTUP_HOME", "RUSTUP_TOOLCHAIN") if name in os.environ}
        self.environment = {
            **protection.clean_environment(), **kept, "HOME": self.folder, "CARGO_HOME": os.path.join(self.folder, "home"),
            "CARGO_TARGET_DIR": os.path.join(self.folder, "target"), "CARGO_NET_OFFLINE": "true", "CARGO_TERM_COLOR": "never",
            "RUSTC": self.programs["rustc"], "RUSTC_WRAPPER": "", "RUST_BACKTRACE": "0"}
        printed = self.run("rustc", ["--version"], self.folder)[1]
        version = re.match(r"rustc (\d+)\.(\d+)", printed)
        if version is None:
            raise Ungraded(f"the version of rustc is unknown: {printed[-REASON_MAX:]}")
        if (int(version[1]), int(version[2])) < OLDEST:
            raise SetupFailed(f"{printed.strip()}: Rust 1.63 or newer is needed")

    def build_judges(self, interface, files):
        """The bytes of a program for each file of tests."""
        folder = os.path.join(self.folder, "judge")
        self.place(folder, "judge")
        write(os.path.join(folder, "lib.rs"), (
            "pub mod agentclash { pub mod peer; pub mod judge; }\n" + interface.judge).encode())
        library = os.path.join(folder, f"lib{interface.crate}.rlib")
        self.compile(["--crate-name", interface.crate, "--crate-type", "rlib", "-o", library, "lib.rs"], folder,
                     "the interface cannot be compiled")
        tests, judges = os.path.join(folder, "tests"), {}
        for name, content in files.items():
            is_root = os.sep not in name and name.endswith(".rs")
            write(os.path.join(tests, name), content + (START % interface.crate).encode() if is_root else content)
        for name in sorted(files):
            stem, ending = os.path.splitext(name)
            if os.sep in name or ending != ".rs":
                continue
            program = os.path.join(folder, "program")
            crate = re.sub(r"\W", "_", f"tests_{stem}")
            self.compile(["--test", "--crate-name", crate, "--extern", f"{interface.crate}={library}", "-o", program, name], tests,
                         "the tests do not compile with interface.rs")
            judges[stem] = taken(program)
        shutil.rmtree(folder)
        return judges

    def compile(self, words, folder, failure):
        always = ["--edition", EDITION, "--error-format", "short", "--cap-lints", "allow", "-C", "debuginfo=0"]
        is_built, printed = self.run("rustc", [*always, *words], folder)
        if is_built:
            return
        errors = "; ".join(COMPILER_ERROR.findall(printed))[:REASON_MAX]
        if errors:
            raise SetupFailed(f"{failure}: {errors}")
        # A full disk is enough.
        raise Ungraded(f"{failure}: {printed.strip()[-REASON_MAX:]}")

    def build_code(self, interface):
        """The bytes of a program that has the code, or a reason. The tests are on no disk."""
        copied, main = os.path.join(self.folder, "code"), os.path.join(self.folder, "main")
        try:
            shutil.copytree(self.root, copied, symlinks=True, ignore=built_files)
        except (shutil.Error, OSError):
            pass
        package = os.path.normpath(os.path.join(copied, self.package))
        try:
            section = PACKAGE.search(read_text(os.path.join(package, "Cargo.toml")))
        except OSError as error:
            return None, f"Cargo.toml cannot be read: {error.strerror}"
        name = PACKAGE_NAME.search(section[1]) if section else None
        if name is None:
            return None, "Cargo.toml names no package"
        self.place(os.path.join(main, "src"), "code")
        write(os.path.join(main, "Cargo.toml"), (MANIFEST % (json.dumps(package), json.dumps(name[1]))).encode())
        calls = [f"{each}agentclash_call_{number}" for number, each in enumerate(interface.folders)]
        write(os.path.join(main, "src", "main.rs"), (
            "#![allow(warnings)]\nmod agentclash { pub mod peer; pub mod code; }\n"
            f"fn main() {{ crate::agentclash::code::serve(&[{', '.join(calls)}]) }}\n{interface.code}").encode())
        is_built, printed = self.run("cargo", ["build", "--offline", "--quiet", "--message-format", "short"], main)
        if not is_built:
            errors = "; ".join(each.strip() for each in ERROR.findall(printed)) or printed.strip()
            return None, "it does not compile with what the tests use: " + errors[:REASON_MAX]
        try:
            return taken(os.path.join(self.folder, "target", "debug", "agentclash-program")), ""
        except OSError as error:
            return None, f"it does not compile: {error.strerror}"

    def place(self, folder, side):
        for name in ("peer.rs", f"{side}.rs"):
            write(os.path.join(folder, "agentclash", name), pkgutil.get_data(__package__, f"rust/{name}"))

    def run(self, program, words, folder):
        """Whether it succeeds, and what it prints."""
        return build([self.programs[program], *words], folder, self.environment)


class RustRun(Run):
    def settings(self):
        return "\0".join(["--exact", self.name, "--nocapture", "--test-threads=1"]).encode() + b"\n"

    def arguments(self):
        return ["-"] * 4

    def decided(self, code, output):
        counts = RESULT.findall(output)
        if code == 0 and counts and counts[-1][1] == "0":
            if counts[-1][0] == "1":
                return "passed", ""
            if counts[-1][2] == "1":
                return "skipped", ""
        shown = NOISE.sub("", output)
        return "failed", self.reason if "ended" in self.reason or not shown.strip() else explained(shown)


NOISE = re.compile(r"^(?:running \d+ tests?|test .*|failures:|    \S+|error: test failed.*|note: .*|thread '.*' panicked at )", re.MULTILINE)


def listed(judge):
    """The names of its tests."""
    folder = tempfile.mkdtemp()
    control, theirs = socket.socketpair()
    link, judge_link = socket.socketpair()
    with tempfile.TemporaryFile() as printed, control, theirs, link, judge_link:
        words = ["--list", "--format=terse", "--test-threads=1", "--include-ignored"]
        process = start([os.path.join(folder, "judge"), *["-"] * len(words)], judge, [theirs, judge_link], printed)
        control.sendall("\0".join(words).encode() + b"\n")
        code = process.wait()
        printed.seek(0)
        output = printed.read().decode(errors="replace")
    shutil.rmtree(folder, ignore_errors=True)
    if code != 0:
        raise Ungraded(f"the tests cannot be listed: {output[-REASON_MAX:]}")
    return LISTED.findall(output)


def built_files(_folder, names):
    return ["target"] if "Cargo.toml" in names else []
