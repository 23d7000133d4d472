import type { ScriptRuntime } from './validator-configs.js';

/** The runner of the hidden tests. */
export type HarnessAdapter =
  | 'pytest'
  | 'unittest'
  | 'calls'
  | 'cases'
  | 'node_test'
  | 'go_test'
  | 'cargo_test';

/** The interpreters and compilers that an adapter needs in the sandbox. */
export type HarnessRuntime = ScriptRuntime | 'go' | 'rust';

/** Decisions of the code under test about its own objects that a test relies on. */
export type HarnessTrust = 'equality' | 'arguments';

/** Hidden tests in a process that the code under test cannot reach: the short form of a test command with a report. */
export interface Harness {
  adapter: HarnessAdapter;
  /** A file or folder below `/grader`. */
  tests: string;
  /** Files, packages or the folder of a package of the code under test, from the working directory. */
  code?: string[];
  /** Of `calls`. */
  function?: string;
  /** Of `cases`: the program and its arguments. */
  command?: string[];
  cpu_seconds?: number;
  trust?: HarnessTrust[];
}

/** The command of the harness, which the verifier brings to the sandboxes of commands that name it. */
export const HARNESS_COMMAND = 'agentclash-grade';
const REPORT = { path: '/grader/report.xml', format: 'junit' } as const;

const USE = /(?:^|[\s;&|(])agentclash-grade\s+(\w*)/g;

/** True for a command that runs the harness. */
export function usesHarness(command: string): boolean {
  return harnessRuntimes(command).length > 0;
}

const WORD = String.raw`(?:[\w./:=@%+,-]|'[^']*'|\\')+`;
const ALONE = new RegExp(`^exec ${HARNESS_COMMAND}(?: ${WORD})+$`);

/** True for a command that is the harness and nothing else, as that of a `harness` is: its exit code is the judge's own. */
export function isHarnessAlone(command: string): boolean {
  return ALONE.test(command);
}

/** Beside Python, which each adapter needs. */
const RUNTIMES: ReadonlyMap<string, HarnessRuntime> = new Map([
  ['node_test', 'node'],
  ['go_test', 'go'],
  ['cargo_test', 'rust'],
]);

/** The interpreters and compilers that a command needs for the harness; none without it. */
export function harnessRuntimes(command: string): HarnessRuntime[] {
  const adapters = [...command.matchAll(USE)].map(([, adapter = '']) => adapter);
  if (adapters.length === 0) return [];
  const runtimes = adapters.flatMap((adapter) => RUNTIMES.get(adapter) ?? []);
  return [...new Set<HarnessRuntime>([...runtimes, 'python'])].sort();
}

/** The command and the report of a harness. */
export function harnessRun(harness: Harness): { test_command: string; reports: [typeof REPORT] } {
  const { adapter, tests, code = [], cpu_seconds, trust = [], command } = harness;
  const words = [
    HARNESS_COMMAND,
    adapter,
    ...['--tests', tests],
    ...code.flatMap((each) => ['--code', each]),
    ...(harness.function === undefined ? [] : ['--function', harness.function]),
    ...(cpu_seconds === undefined ? [] : ['--cpu-seconds', String(cpu_seconds)]),
    ...trust.flatMap((each) => ['--trust', each]),
    ...(command === undefined ? [] : ['--', ...command]),
  ];
  return { test_command: `exec ${words.map(quoted).join(' ')}`, reports: [REPORT] };
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
