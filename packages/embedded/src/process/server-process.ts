import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { EmbeddedError } from '../error.js';
import type { Account } from './account.js';
import type { FolderLock } from './folder-lock.js';
import { removePidRecord, writePidRecord } from './pid-record.js';

export interface ServerProcessOptions {
  /** Its name in messages: `PostgreSQL`, `nats-server`. */
  name: string;
  command: string;
  args: string[];
  /** Added to a minimal environment; the caller's own environment is not inherited. */
  env?: Record<string, string>;
  /** Runs under this account instead of the caller's. */
  account?: Account;
  /** Held by the server while it lives. */
  lock: FolderLock;
  /** Records the process for the next start, in case this process dies without stopping it. */
  pidFile: string;
  /** Requests an orderly shutdown. */
  stopSignal: NodeJS.Signals;
  /** Every line the server prints. */
  log: (line: string) => void;
}

export interface ServerExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const STOP_TIMEOUT_MS = 10_000;
const KEPT_LINES = 20;
const SETPRIV = '/usr/bin/setpriv';

/** A long-running child in its own process group: a Ctrl-C in the terminal reaches only this process, which stops it. */
export class ServerProcess {
  readonly pid: number;
  /** Resolves when the process ends for any reason. Never rejects. */
  readonly exited: Promise<ServerExit>;
  private readonly lines: string[] = [];
  private readonly listeners = new Set<(line: string) => void>();

  private constructor(
    private readonly child: ChildProcess,
    private readonly options: ServerProcessOptions,
    pid: number,
  ) {
    this.pid = pid;
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        removePidRecord(options.pidFile);
        resolve({ code, signal });
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.receive(line));
    }
  }

  static async launch(options: ServerProcessOptions): Promise<ServerProcess> {
    const [command, args] = withParentDeathSignal(options);
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...options.env },
      ...(options.account && { uid: options.account.uid, gid: options.account.gid }),
    });
    try {
      await once(child, 'spawn');
    } catch (cause) {
      throw new EmbeddedError(
        'start_failed',
        `${options.name} could not be started: ${(cause as Error).message}`,
        {
          hint: `Check that ${options.command} exists and may be executed.`,
          cause,
        },
      );
    }
    const pid = child.pid as number;
    writePidRecord(options.pidFile, pid);
    return new ServerProcess(child, options, pid);
  }

  /** Its last printed lines, for an error message. */
  get lastOutput(): string {
    return this.lines.join('\n');
  }

  /** Resolves with the first line that matches, or with undefined when the process ends before printing one. */
  lineMatching(pattern: RegExp): Promise<string | undefined> {
    const earlier = this.lines.find((line) => pattern.test(line));
    if (earlier !== undefined) return Promise.resolve(earlier);
    return new Promise((resolve) => {
      const settle = (line?: string) => {
        this.listeners.delete(listener);
        resolve(line);
      };
      const listener = (line: string) => {
        if (pattern.test(line)) settle(line);
      };
      this.listeners.add(listener);
      void this.exited.then(() => settle());
    });
  }

  /** Ends the process: by its signal, and by force after a grace period of ten seconds. Idempotent. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill(this.options.stopSignal);
    const force = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.exited;
    clearTimeout(force);
  }

  private receive(line: string): void {
    this.lines.push(line);
    if (this.lines.length > KEPT_LINES) this.lines.shift();
    this.options.log(line);
    for (const listener of this.listeners) listener(line);
  }
}

/** On Linux the kernel ends the server when this process ends in any way. */
function withParentDeathSignal({ stopSignal, ...options }: ServerProcessOptions): [string, string[]] {
  const [command, args] = options.lock.around(options.command, options.args);
  if (process.platform !== 'linux' || !existsSync(SETPRIV)) return [command, args];
  return [SETPRIV, ['--pdeathsig', stopSignal.replace('SIG', ''), '--', command, ...args]];
}
