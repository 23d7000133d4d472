import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import type { InsideTask } from '../../inside/inside.js';
import type { TaskExit, TaskOutput } from '../../inside/task.js';
import type { TaskRequest } from '../../inside/task-request.js';
import { SandboxError } from '../../sandbox-error.js';
import { type FreshPlan, launchArgv } from './fresh-arguments.js';

const SIGKILL = 9;
const SIGNALS = 64;
const SIGNAL_BASE = 128;
const NOTHING = () => undefined;

interface FreshWork {
  request: TaskRequest;
  output: TaskOutput;
  /** What runs in the bwrap, with the options for it in front. */
  argv: () => Promise<readonly string[]>;
}

/** One bwrap from its start to the end of all that it held. */
export class FreshTask implements InsideTask {
  readonly exit: Promise<TaskExit>;
  /** Resolves when nothing of it runs any more. Never rejects. */
  readonly gone: Promise<unknown>;
  #child: ChildProcess | undefined;
  /** Host pid of what ends all that the bwrap holds when it ends, from when it is there. */
  #firstProcess: number | undefined;
  #isKilled = false;
  #isTimedOut = false;
  #isTruncated = false;
  #outputLeft: number;
  #unacknowledged = 0;
  readonly #started: Promise<ChildProcess>;
  #fail!: (error: Error) => void;

  constructor(
    private readonly plan: FreshPlan,
    private readonly work: FreshWork,
  ) {
    this.#outputLeft = work.request.outputBytesMax ?? Number.POSITIVE_INFINITY;
    const failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.#started = this.#start();
    const ended = this.#started.then((child) => this.#untilEnd(child));
    this.gone = ended.then(NOTHING, NOTHING);
    this.exit = Promise.race([ended, failed]);
    this.exit.catch(NOTHING);
  }

  /** Process id of bwrap on the host, while it runs. */
  get pid(): number | undefined {
    return this.#hasExited() ? undefined : this.#child?.pid;
  }

  cancel(): void {
    this.#kill();
  }

  expire(): void {
    if (this.#child && this.#hasExited()) return;
    this.#isTimedOut = true;
    this.#kill();
  }

  acknowledge(bytes: number): void {
    this.#unacknowledged -= bytes;
    this.#child?.stdout?.resume();
  }

  fail(error: Error): void {
    this.#fail(error);
    this.cancel();
  }

  async sendInput(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const stdin = (await this.#started.catch(NOTHING))?.stdin;
    if (!stdin) return;
    const over = this.gone.then(NOTHING);
    const source =
      Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
    for (;;) {
      const next = await Promise.race([source.next(), over]);
      if (next === undefined || stdin.destroyed) {
        // A source that stalls must not hold up a task that is over.
        void Promise.resolve(source.return?.()).catch(NOTHING);
        return;
      }
      if (next.done) break;
      if (!stdin.write(next.value)) await Promise.race([once(stdin, 'drain').catch(NOTHING), over]);
    }
    stdin.end();
  }

  async #start(): Promise<ChildProcess> {
    const { options, command } = launchArgv(this.plan, await this.work.argv());
    const filter = openSync(this.plan.seccompFile, 'r');
    try {
      const [program = '', ...rest] = command;
      const child = spawn(program, rest, {
        stdio: ['pipe', 'pipe', 'pipe', filter, 'pipe', 'pipe'],
        env: {},
        cwd: '/',
      });
      this.#child = child;
      await once(child, 'spawn');
      for (const stream of child.stdio) stream?.on('error', NOTHING);
      // Not as arguments: the environment of a command is nobody else's to read.
      const optionsPipe = child.stdio[4];
      if (optionsPipe && 'end' in optionsPipe)
        optionsPipe.end(options.map((option) => `${option}\0`).join(''));
      if (((this.work.request.flags ?? 0) & 1) === 0) child.stdin?.end();
      this.#awaitFirstProcess(child);
      return child;
    } catch (cause) {
      if (cause instanceof SandboxError) throw cause;
      throw new SandboxError('unavailable', 'the sandbox did not start', { cause });
    } finally {
      closeSync(filter);
    }
  }

  async #untilEnd(child: ChildProcess): Promise<TaskExit> {
    const { request, output } = this.work;
    child.stdout?.on('data', (chunk: Buffer) => this.#pass(chunk, 'stdout', output.onStdout.bind(output)));
    child.stderr?.on('data', (chunk: Buffer) => this.#pass(chunk, 'stderr', output.onStderr.bind(output)));
    const deadline =
      request.timeoutMs === undefined ? undefined : setTimeout(() => this.expire(), request.timeoutMs);
    // All that could hold the pipes is in the process namespace that ends with its first process.
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(deadline);
    return { timedOut: this.#isTimedOut, truncated: this.#isTruncated, ...this.#endOf(code) };
  }

  /**
   * The first process is killed and never bwrap: one that dies between starting it and telling it to follow its
   * parent would leave it behind for ever.
   */
  #kill(): void {
    this.#isKilled = true;
    // What is left in the pipe must be read for its end to be seen, and nobody acknowledges it any more.
    this.#child?.stdout?.resume();
    if (this.#firstProcess === undefined || this.#hasExited()) return;
    try {
      process.kill(this.#firstProcess, 'SIGKILL');
    } catch {
      // ended meanwhile
    }
  }

  #hasExited(): boolean {
    return this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #awaitFirstProcess(child: ChildProcess): void {
    let told = '';
    // As typed, a child has no more than five descriptors.
    const info = (child.stdio as readonly (Duplex | undefined)[])[5];
    info?.on('data', (chunk: Buffer) => {
      told += chunk.toString('latin1');
      const pid = /"child-pid": (\d+)\D/.exec(told)?.[1];
      if (pid === undefined || this.#firstProcess !== undefined) return;
      this.#firstProcess = Number(pid);
      if (this.#isKilled) this.#kill();
    });
  }

  #pass(chunk: Buffer, name: 'stdout' | 'stderr', listener: (chunk: Buffer) => void): void {
    const kept = chunk.subarray(0, Math.min(chunk.length, this.#outputLeft));
    this.#isTruncated ||= kept.length < chunk.length;
    this.#outputLeft -= kept.length;
    if (kept.length === 0) return;
    if (name === 'stdout' && this.work.request.windowBytes) {
      this.#unacknowledged += kept.length;
      const isFull = this.#unacknowledged >= this.work.request.windowBytes;
      if (isFull && !this.#isKilled) this.#child?.stdout?.pause();
    }
    listener(kept);
  }

  /** bwrap speaks of a signal as 128 + number, which a command may also exit with. */
  #endOf(code: number | null) {
    if (code === null || (this.#isKilled && code === SIGNAL_BASE + SIGKILL)) {
      return { kind: 'signal', signal: SIGKILL } as const;
    }
    if (this.work.request.verb === 'exec' && code > SIGNAL_BASE && code <= SIGNAL_BASE + SIGNALS) {
      return { kind: 'signal', signal: code - SIGNAL_BASE } as const;
    }
    return { kind: 'code', code } as const;
  }
}
