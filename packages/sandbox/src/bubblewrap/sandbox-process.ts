import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { InsideLink } from '../inside/link.js';

const STDERR_BYTES_MAX = 8_192;
/** How long the first process may take to end when asked by closing its input. */
const GRACE_MS = 500;

export interface ProcessEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

/** Launcher, then bwrap, in one host process; its child is the first process of the sandbox. */
export class SandboxProcess implements InsideLink {
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  #stderr = '';
  #hasEnded = false;

  /** Must run on the main thread: bwrap's `--die-with-parent` follows the thread that forked it. */
  constructor(argv: readonly [string, ...string[]]) {
    const [command, ...args] = argv;
    this.#child = spawn(command, args, { stdio: 'pipe', env: {}, cwd: '/' });
    this.#child.stdin?.on('error', () => {}); // the end of the process tells more
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(0, STDERR_BYTES_MAX);
    });
    this.ended = new Promise((resolve) => {
      const finish = (exitCode: number | null, signal: NodeJS.Signals | null) => {
        this.#hasEnded = true;
        this.#child.stdout?.destroy();
        resolve({ exitCode, signal, stderr: this.#stderr });
      };
      this.#child.once('exit', finish);
      this.#child.once('error', (error) => {
        this.#stderr = error.message;
        finish(null, null);
      });
    });
  }

  send(bytes: Buffer): void {
    if (!this.#hasEnded) this.#child.stdin?.write(bytes);
  }

  onBytes(listener: (bytes: Buffer) => void): void {
    this.#child.stdout?.on('data', listener);
  }

  /** The first process ends when its input does, and the kernel kills the rest with it. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#child.stdin?.end();
    this.#child.stdin?.destroy();
    const timer = setTimeout(() => this.kill(), GRACE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** The first process is killed rather than bwrap, so that bwrap's end still means that all are gone. */
  kill(): void {
    if (this.#hasEnded || this.#child.pid === undefined) return;
    try {
      process.kill(firstProcess(this.#child.pid), 'SIGKILL');
    } catch {
      // ended meanwhile
    }
  }
}

/** The one child of bwrap. Before it has one, the process itself is all there is. */
function firstProcess(pid: number): number {
  try {
    const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
    return child > 0 ? child : pid;
  } catch {
    return pid;
  }
}
