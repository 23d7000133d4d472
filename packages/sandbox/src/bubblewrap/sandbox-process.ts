import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { InsideLink } from '../inside/wire.js';

/** The end of the outermost process of a sandbox. */
export interface ProcessEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

const SIGNALS = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]),
);
const SIGNAL_BITS = 0x7f;

/** From the status of `waitpid`. */
export function processEnd(status: number, stderr: string): ProcessEnd {
  const signal = status & SIGNAL_BITS;
  if (signal === 0) return { exitCode: (status >> 8) & 0xff, signal: null, stderr };
  return { exitCode: null, signal: SIGNALS.get(signal) ?? 'SIGKILL', stderr };
}

/** Time in which the first process ends after its input is closed. */
const GRACE_MS = 500;

/** Launcher, then bwrap, in one host process; its child is the first process of the sandbox. */
export class SandboxProcess implements InsideLink {
  #hasEnded = false;
  #pid: number | undefined;

  constructor(
    /** Input and output of the first process, after the request to launch it. */
    private readonly connection: Socket,
    readonly ended: Promise<ProcessEnd>,
    private readonly killFirstProcess: () => void,
  ) {
    void ended.then(() => {
      this.#hasEnded = true;
      connection.destroy();
    });
  }

  /** Process id of bwrap on the host, while it runs. */
  get pid(): number | undefined {
    return this.#hasEnded ? undefined : this.#pid;
  }

  onStarted(pid: number): void {
    this.#pid = pid;
  }

  send(bytes: Buffer): void {
    if (!this.#hasEnded) this.connection.write(bytes);
  }

  onBytes(listener: (bytes: Buffer) => void): void {
    this.connection.on('data', listener);
  }

  /** The first process ends when its input does, and the kernel kills the rest with it. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.connection.end();
    const timer = setTimeout(() => this.kill(), GRACE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** The first process is killed rather than bwrap, so that bwrap's end still means that all are gone. */
  kill(): void {
    if (this.#hasEnded) return;
    this.killFirstProcess();
    // One that is about to be launched cannot be killed yet, and ends with its input.
    this.connection.end();
  }
}
