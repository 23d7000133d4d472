import { constants } from 'node:os';
import type { ExecOptions, ExecResult } from '../contract.js';
import { type CpuMeter, LimitClock } from '../cpu/limit-clock.js';
import { SandboxError } from '../sandbox-error.js';
import { SANDBOX_DEFAULTS } from '../spec.js';
import { type InsideClient, TIMER_MAX_MS } from './client.js';
import { errorOfCode } from './file-report.js';
import { KeptBytes } from './kept-bytes.js';
import type { Task, TaskExit } from './task.js';
import { REQUEST_FLAG } from './task-request.js';

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

export interface ExecScope {
  workingDirectory: string;
  roots: readonly string[];
  env: Readonly<Record<string, string>>;
  outputBytesMax: number;
  /** The number of processes that the kernel has killed for memory; undefined when it cannot be determined. */
  oomKills: () => number | undefined;
  /** Quota of the sandbox, in CPUs. */
  cpu: number;
  /** Undefined where starvation cannot be known: limits are of wall time then. */
  cpuMeter: CpuMeter | undefined;
}

/** The process inside enforces a limit so much later than the host does, which knows how far to extend it. */
const INSIDE_SLACK_MS = 5_000;

/** Runs one command. Rejects only when it could not be tried, was aborted, or the sandbox died. */
export async function exec(
  client: InsideClient,
  scope: ExecScope,
  argv: readonly string[],
  options: ExecOptions = {},
): Promise<ExecResult> {
  options.signal?.throwIfAborted();
  if (argv.length === 0 || argv[0] === '') throw new SandboxError('invalid_argument', 'argv is empty');
  const cap = capOf(scope, options);
  const output = new CappedOutput(cap, options);
  const startedAt = performance.now();
  const oomKillsBefore = scope.oomKills();
  const limit = limitOf(scope, options);
  const task = client.start(
    {
      verb: 'exec',
      flags: options.stdin === undefined ? 0 : REQUEST_FLAG.stdin,
      ...(limit && { timeoutMs: limit.insideMs }),
      outputBytesMax: cap,
      cwd: absolute(options.cwd, scope.workingDirectory),
      roots: options.roots ?? scope.roots,
      args: argv,
      extra: environment({ ...scope.env, ...options.env }),
    },
    output,
  );
  const clock = limit?.measured && new LimitClock(limit.measured.meter, limit.measured, () => task.expire());
  output.onStarted = () => clock?.started();
  const exit = await untilExit(task, options).catch((error: unknown) => {
    clock?.stop();
    throw error;
  });
  clock?.stop(exit.ranMs);
  if (exit.kind === 'refused') throw errorOfCode(exit.code);
  if (exit.timedOut && clock?.isBeyondBound) {
    throw new SandboxError(
      'cpu_starved',
      'the command got too little CPU for its time limit to mean anything',
    );
  }
  const exitCode = exit.kind === 'code' ? exit.code : 128 + exit.signal;
  return {
    exitCode,
    ...(exit.kind === 'signal' ? { signal: SIGNAL_NAMES.get(exit.signal) ?? `SIG${exit.signal}` } : {}),
    timedOut: exit.timedOut,
    oomKilled: exitCode !== 0 && (exit.oomKilled === true || (scope.oomKills() ?? 0) > (oomKillsBefore ?? 0)),
    stdout: output.stdout,
    stderr: output.stderr,
    truncated: exit.truncated,
    durationMs: performance.now() - startedAt,
    ...(clock && scope.cpuMeter && { starvedMs: clock.starvedMs }),
  };
}

/** A result is kept in the memory of the host. */
function capOf({ outputBytesMax: most }: ExecScope, { outputBytesMax: cap = most, tailBytes }: ExecOptions) {
  return tailBytes === undefined ? Math.min(cap, most) : cap;
}

/** Where a limit may be extended, the host's clock decides, and the deadline inside is what is left if the host fails. */
function limitOf({ cpu, cpuMeter }: ExecScope, { timeoutMs, starvedMsMax, onStarved, waits }: ExecOptions) {
  if (timeoutMs === undefined) return undefined;
  const limitMs = Math.max(1, timeoutMs);
  if (!cpuMeter && !waits) return { insideMs: limitMs };
  const boundMs = cpuMeter ? (starvedMsMax ?? limitMs * SANDBOX_DEFAULTS.starvationMax) : 0;
  const meter = cpuMeter ?? NO_METER;
  const measured = { meter, limitMs, cpu, starvedMsMax: boundMs, onStarved, waitedMs: waits?.ms };
  const extendedMs = limitMs + boundMs + (waits?.msMax ?? 0);
  return { insideMs: Math.min(extendedMs + INSIDE_SLACK_MS, TIMER_MAX_MS), measured };
}

const NO_METER: CpuMeter = { begin: () => undefined, read: () => undefined };

async function untilExit(task: Task, options: ExecOptions): Promise<TaskExit> {
  const abort = () => task.cancel();
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    if (options.stdin === undefined) return await task.exit;
    const [exit] = await Promise.all([task.exit, feed(task, options.stdin)]);
    return exit;
  } finally {
    options.signal?.removeEventListener('abort', abort);
    options.signal?.throwIfAborted();
  }
}

async function feed(task: Task, stdin: NonNullable<ExecOptions['stdin']>): Promise<void> {
  try {
    if (typeof stdin === 'string') await task.sendInput([Buffer.from(stdin)]);
    else await task.sendInput(stdin instanceof Uint8Array ? [stdin] : stdin);
  } catch (error) {
    task.cancel();
    await task.exit.catch(() => {});
    throw error;
  }
}

function absolute(path: string | undefined, workingDirectory: string): string {
  if (path === undefined) return workingDirectory;
  if (path === '') throw new SandboxError('invalid_path', 'empty path');
  return path.startsWith('/') ? path : `${workingDirectory}/${path}`;
}

function environment(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => {
    if (name === '' || name.includes('=')) throw new SandboxError('invalid_argument', 'bad variable name');
    return `${name}=${value}`;
  });
}

/** Passes on at most `cap` bytes of both streams together, even if the other side does not stop there. */
class CappedOutput {
  onStarted: (() => void) | undefined;
  #left: number;
  readonly #stdout: KeptBytes;
  readonly #stderr: KeptBytes;

  constructor(
    cap: number,
    private readonly options: Pick<ExecOptions, 'onStdout' | 'onStderr' | 'tailBytes'>,
  ) {
    this.#left = cap;
    this.#stdout = new KeptBytes(options.tailBytes);
    this.#stderr = new KeptBytes(options.tailBytes);
  }

  get stdout(): Buffer {
    return this.#stdout.bytes;
  }

  get stderr(): Buffer {
    return this.#stderr.bytes;
  }

  onStdout(chunk: Buffer): void {
    this.#pass(chunk, this.#stdout, this.options.onStdout);
  }

  onStderr(chunk: Buffer): void {
    this.#pass(chunk, this.#stderr, this.options.onStderr);
  }

  #pass(chunk: Buffer, kept: KeptBytes, listener: ((chunk: Uint8Array) => void) | undefined): void {
    const passed = chunk.subarray(0, this.#left);
    if (passed.length === 0) return;
    this.#left -= passed.length;
    kept.add(passed);
    listener?.(passed);
  }
}
