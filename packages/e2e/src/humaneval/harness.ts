/**
 * The grader's side of every case: runs the data set's `check` against solution.py and writes a JUnit report.
 *
 * HumanEval's asserts run in the process of the code they judge, so code that was written to deceive could still
 * satisfy them. What cannot pass is code that ends the process early, prints, or writes a report of its own: the child
 * has to return from `check` and print a word that was made up for it, and the report is written after it is dead.
 */
export const HARNESS = `\
import os, pathlib, secrets, signal, subprocess, sys

CHILD = """
import os, sys
entry_point, word, output = sys.argv[1:]
sys.argv[1:] = []
space = {"__name__": "solution"}
for path in ("solution.py", "/grader/check.py"):
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), space)
space["check"](space[entry_point])
os.write(int(output), word.encode())
"""

def passes(entry_point):
    read, write = os.pipe()
    word = secrets.token_hex(16)
    child = subprocess.Popen(
        [sys.executable, "-IS", "-c", CHILD, entry_point, word, str(write)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[write], start_new_session=True)
    os.close(write)
    try:
        child.wait(timeout=20)
    except subprocess.TimeoutExpired:
        print("timed out", file=sys.stderr)
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()
    os.set_blocking(read, False)
    try:
        return os.read(read, 64).decode() == word
    except BlockingIOError:
        return False

ok = passes(sys.argv[1])
report = pathlib.Path("/tmp/report.xml")
report.unlink(missing_ok=True)
failure = "" if ok else '<failure message="check failed"/>'
report.write_text(f'<testsuite name="check" tests="1"><testcase name="check">{failure}</testcase></testsuite>')
sys.exit(0 if ok else 1)
`;
