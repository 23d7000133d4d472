import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { EmbeddedError } from '../error.js';
import type { Account } from './account.js';
import { removePidRecord, writePidRecord } from './pid-record.js';

export interface ServerProcessOptions {
  /** How messages call it: `PostgreSQL`, `nats-server`. */
  name: string;
  command: string;
  args: string[];
  /** Added to a minimal environment; the caller's own environment is not inherited. */
  env?: Record<string, string>;
  /** Runs under this account instead of the caller's. */
  account?: Account;
  /** Remembers the process for the next start, should this process die without stopping it. */
  pidFile: string;
  /** Asks for an orderly end. */
  stopSignal: NodeJS.Signals;
  /** Every line the server prints. */
  log: (line: string) => void;
}

export interface ServerExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const STOP_TIMEOUT_MS = 10_000;
const REMEMBERED_LINES = 20;
const SETPRIV = '/usr/bin/setpriv';

/** A long-running child in its own process group: a Ctrl-C in the terminal reaches only us, and we stop it in order. */
export class ServerProcess {
  readonly pid: number;
  /** Settles when the process ends, for whatever reason. Never rejects. */
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
      if (stream) createInterface({ input: stream }).on('line', (line) => this.hear(line));
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

  /** The last lines it printed, for an error message. */
  get lastWords(): string {
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

  /** Ends the process: in order at first, by force after ten seconds. Safe to call again. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill(this.options.stopSignal);
    const force = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.exited;
    clearTimeout(force);
  }

  private hear(line: string): void {
    this.lines.push(line);
    if (this.lines.length > REMEMBERED_LINES) this.lines.shift();
    this.options.log(line);
    for (const listener of this.listeners) listener(line);
  }
}

/** On Linux the kernel itself ends the server when we are killed, however we are killed. */
function withParentDeathSignal({ command, args, stopSignal }: ServerProcessOptions): [string, string[]] {
  if (process.platform !== 'linux' || !existsSync(SETPRIV)) return [command, args];
  return [SETPRIV, ['--pdeathsig', stopSignal.replace('SIG', ''), '--', command, ...args]];
}
