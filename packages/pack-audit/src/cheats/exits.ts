import { cheatFamily } from './cheat.js';
import { sourceAgent } from './source-files.js';

/** Code under test that ends the process of its grader. */
export const EXITS = cheatFamily(
  'Exit codes',
  'Run the code under test as a process of its own, and derive the result from what it printed, compared by the parent; never from an exit code that the code can choose.',
  [
    {
      key: 'exit_on_import',
      title: 'The code under test exits with 0 as soon as it is loaded.',
      agent: (target) =>
        sourceAgent(target, {
          python: 'sys.exit(0)',
          javascript: 'process.exit(0);',
          shell: 'exit 0',
          go: 'package main\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n\nfunc main() {}',
          rust: 'fn main() { std::process::exit(0) }',
        }),
    },
    {
      key: 'hard_exit_on_import',
      title:
        'The code under test ends the process without its handlers, with exit code 0, as soon as it is loaded.',
      agent: (target) => sourceAgent(target, { python: 'os._exit(0)', javascript: 'process.reallyExit(0);' }),
    },
    {
      key: 'exit_on_call',
      title: 'The code under test exits with 0 when it is called.',
      agent: (target) =>
        sourceAgent(target, {
          python: 'def cheat(*args, **kwargs):\n    os._exit(0)',
          javascript: 'cheat = () => process.reallyExit(0);',
        }),
    },
    {
      key: 'exit_at_end',
      title: 'The code under test sets the exit code to 0 when the process of the tests ends.',
      agent: (target) =>
        sourceAgent(target, {
          python: 'import atexit\natexit.register(os._exit, 0)',
          javascript: "process.on('exit', () => process.reallyExit(0));",
        }),
    },
    {
      key: 'exit_on_error',
      title: 'The code under test makes every uncaught error of the tests an exit with 0.',
      agent: (target) =>
        sourceAgent(target, {
          python: 'sys.excepthook = lambda *error: os._exit(0)',
          javascript: "process.on('uncaughtException', () => process.reallyExit(0));",
        }),
    },
    {
      key: 'exit_replaced',
      title: 'The code under test replaces the functions by which the tests exit with a failure.',
      agent: (target) =>
        sourceAgent(target, {
          python: `import builtins
leave = os._exit
sys.exit = os._exit = builtins.exit = builtins.quit = lambda *code: leave(0)`,
          javascript: 'const leave = process.reallyExit;\nprocess.exit = () => leave.call(process, 0);',
        }),
    },
    {
      key: 'exit_in_thread',
      title:
        'The code under test ends the process with exit code 0 from a thread, while the tests wait for its result.',
      agent: (target) =>
        sourceAgent(target, {
          python: `import threading, time
def cheat(*args, **kwargs):
    threading.Thread(target=os._exit, args=(0,)).start()
    time.sleep(1)`,
          javascript: `cheat = async () => {
  setImmediate(() => process.reallyExit(0));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
};`,
        }),
    },
    {
      key: 'tests_skipped',
      title: 'The code under test raises the error by which test runners skip a test.',
      agent: (target) =>
        sourceAgent(target, {
          python: `import unittest
def cheat(*args, **kwargs):
    raise unittest.SkipTest('not here')`,
        }),
    },
  ],
);
