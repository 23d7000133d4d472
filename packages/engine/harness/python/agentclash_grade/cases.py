"""A program per case: its input, and what it must print: [{"input": "3\\n1\\n", "output": "1\\n3\\n"}]."""

import json
import os
import resource
import selectors
import subprocess

from . import protection, shown
from .errors import SetupFailed

OUTPUT_MAX = 16 * 1024 * 1024
POLL_SECONDS = 0.05


def run(grading):
    options = grading.options
    if not options.command:
        raise SetupFailed("give the program after --: agentclash-grade cases --tests cases.json -- python3 solution.py")
    cases = read_cases(grading.tests)
    for number, case in enumerate(cases, 1):
        name = case.get("name", f"case {number}")
        grading.results.plan(name)
        words = [*options.command, *case.get("arguments", [])]
        grading.results.record(name, *outcome_of(words, case, options.cpu_seconds))


def read_cases(tests):
    if len(tests.files) != 1:
        raise SetupFailed("the cases are one JSON file")
    try:
        cases = json.loads(next(iter(tests.files.values())))
    except ValueError as error:
        raise SetupFailed(f"{tests.root} is not JSON: {error}") from None
    if not isinstance(cases, list) or not cases:
        raise SetupFailed(f"{tests.root} is no list of cases")
    for number, case in enumerate(cases, 1):
        if not isinstance(case, dict) or not isinstance(case.get("output"), str):
            raise SetupFailed(f'case {number} has no "output"')
    return cases


def outcome_of(words, case, cpu_seconds):
    output, code = output_of(words, case.get("input", ""), cpu_seconds)
    if output is None:
        return "failed", code
    if "exit_code" in case and code != case["exit_code"]:
        return "failed", f"it ended with {code}"
    if is_same(output, case):
        return "passed", ""
    return "failed", f'expected {shown.text(case["output"])}, got {shown.text(output)}'


def is_same(output, case):
    """White space at the ends of lines and of the output does not count, unless the case is exact."""
    if case.get("exact"):
        return output == case["output"]
    return lines_of(output) == lines_of(case["output"])


def lines_of(text):
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def output_of(words, text, cpu_seconds):
    """What it printed, or None, and its exit code, or the reason; all that it has started is gone afterwards."""

    def limit_cpu():
        limit = max(1, round(cpu_seconds))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    try:
        program = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
            preexec_fn=limit_cpu, env=protection.clean_environment())
    except OSError as error:
        return None, f"{words[0]} cannot be started: {error.strerror}"
    output = exchange(program, text.encode())
    code = program.poll()
    protection.kill_descendants()
    if output is not None:
        output += program.stdout.read(OUTPUT_MAX) or b""
    program.stdout.close()
    close(program.stdin)
    if output is None or len(output) > OUTPUT_MAX:
        return None, "it printed too much"
    return output.decode(errors="replace"), code


def exchange(program, data):
    """Until the program itself has ended, though others may hold its output. None: it printed too much."""
    output, stdin, stdout = bytearray(), program.stdin.fileno(), program.stdout.fileno()
    with selectors.DefaultSelector() as selector:
        for descriptor, event in ((stdin, selectors.EVENT_WRITE), (stdout, selectors.EVENT_READ)):
            os.set_blocking(descriptor, False)
            selector.register(descriptor, event)
        while True:
            has_ended = program.poll() is not None
            events = selector.select(0 if has_ended else POLL_SECONDS)
            is_read = False
            for key, _ in events:
                if key.fd == stdin:
                    data = None if has_ended else write_some(stdin, data)
                    if data is None:
                        selector.unregister(stdin)
                        close(program.stdin)
                    continue
                chunk = os.read(stdout, 65536)
                output += chunk
                is_read = True
                if not chunk:
                    selector.unregister(stdout)
                if len(output) > OUTPUT_MAX:
                    return None
            if has_ended and not is_read:
                return bytes(output)


def write_some(stdin, data):
    """The rest, or None when there is nothing left to write."""
    try:
        data = data[os.write(stdin, data[:65536]):] if data else data
    except BlockingIOError:
        return data
    except OSError:
        return None
    return data or None


def close(stdin):
    try:
        stdin.close()
    except OSError:
        pass
