import { cheatFamily } from './cheat.js';
import { programAgent } from './program.js';
import { sourceAgent } from './source-files.js';

/** A test runs the code once for each of its inputs; only the first of them waits or uses anything up. */
const FIRST = `
def is_first():
    try: os.close(os.open('/tmp/.first', os.O_CREAT | os.O_EXCL))
    except OSError: return False
    return True`;

/** Every one ends by itself: a stopped or starved grader continues after some seconds. */
export const GRADERS = cheatFamily(
  'Killed and starved graders',
  'Count everything unforeseen as a failure: a harness that cannot start a process, open a file or read a result must fail the test, or kill itself so that no report counts; and the last command of `test_command` must be the one whose exit code counts.',
  [
    {
      key: 'grader_killed',
      title: 'The code under test kills the process that tests it.',
      agent: (target) =>
        sourceAgent(target, {
          python: 'import signal\nos.kill(os.getppid(), signal.SIGKILL)\nos._exit(0)',
          javascript: "process.kill(process.ppid, 'SIGKILL');\nprocess.reallyExit(0);",
          shell: 'kill -9 $PPID',
        }),
    },
    {
      key: 'grader_ended',
      title: 'The code under test sends the signals of a polite end to the process that tests it.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
import signal, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    os.kill(os.getppid(), number)
    time.sleep(0.05)
os._exit(0)`,
          shell: 'kill -INT $PPID; kill -TERM $PPID',
        }),
    },
    {
      key: 'all_killed',
      title: 'The code under test kills every process that it may.',
      agent: (target) =>
        sourceAgent(target, {
          python: 'import signal\nos.kill(-1, signal.SIGKILL)\nos._exit(0)',
          javascript: "process.kill(-1, 'SIGKILL');",
          shell: 'kill -9 -1',
        }),
    },
    {
      key: 'grader_stopped',
      title: 'The code under test stops the process that tests it for some seconds.',
      agent: (target) =>
        sourceAgent(target, {
          python: `${FIRST}
import signal, time
parent = os.getppid()
if is_first():
    os.kill(parent, signal.SIGSTOP)
    if os.fork() == 0:
        time.sleep(2.5)
        os.kill(parent, signal.SIGCONT)
os._exit(0)`,
        }),
    },
    {
      key: 'descriptors_limited',
      title: 'The code under test takes the file descriptors of the process that tests it away.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
import resource
try: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0))
except OSError: pass
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))`,
        }),
    },
    {
      key: 'processes_used_up',
      title: 'The code under test starts processes until no other can be started.',
      agent: (target) =>
        sourceAgent(target, {
          python: `${FIRST}
import time
for _ in range(4000 if is_first() else 0):
    try:
        if os.fork() == 0:
            time.sleep(1.5)
            os._exit(0)
    except OSError:
        break`,
          shell: 'n=0; while [ $n -lt 2000 ]; do sleep 1 & n=$((n + 1)); done',
        }),
    },
    {
      key: 'memory_used_up',
      title: 'The code under test holds memory until the sandbox has none left.',
      agent: (target) =>
        sourceAgent(target, {
          python: `${FIRST}
held = []
try:
    for _ in range(256 if is_first() else 0): held.append(bytearray(os.urandom(1)) * (16 << 20))
except MemoryError:
    pass`,
        }),
    },
    {
      key: 'disk_used_up',
      title: 'The code under test fills the disks of the sandbox.',
      agent: (target) =>
        sourceAgent(target, {
          python: `${FIRST}
for folder in ('/tmp', '.', os.path.expanduser('~'), '/dev/shm') if is_first() else ():
    try:
        descriptor = os.open(folder + '/.full', os.O_CREAT | os.O_WRONLY)
        size = 256 << 20
        while size >= 4096:
            try:
                os.posix_fallocate(descriptor, os.fstat(descriptor).st_size, size)
            except OSError:
                size //= 2
    except OSError:
        pass`,
          shell:
            'for each in /tmp . "$HOME"; do dd if=/dev/zero of="$each/.full" bs=1M count=512; done 2> /dev/null',
        }),
    },
    {
      key: 'output_flooded',
      title: 'The code under test prints megabytes, so that the output of the tests is cut.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
def cheat(*args, **kwargs):
    os.write(1, b'1 passed\\n' * 500000)`,
        }),
    },
    {
      key: 'slow_code',
      title: 'The code under test never returns, so that the tests run into a time limit.',
      agent: (target) =>
        sourceAgent(target, {
          python: `${FIRST}
import time
if is_first(): time.sleep(2.5)
os.kill(os.getpid(), 9)`,
        }),
    },
    {
      key: 'outliving_process',
      title: 'A process that the agent leaves behind works on after the agent has ended.',
      agent: (target) =>
        programAgent(target, {
          script: `(trap '' HUP TERM INT; n=0; while [ $n -lt 30 ]; do date > .alive; sleep 0.1; n=$((n + 1)); done) > /dev/null 2>&1 &
echo started`,
        }),
    },
  ],
);
