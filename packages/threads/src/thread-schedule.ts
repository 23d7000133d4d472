import { closeSync, openSync, readSync } from 'node:fs';

const NS_PER_MS = 1e6;
/** The line has three numbers of at most 20 digits. */
const LINE_BYTES_MAX = 64;

/** Times of a thread as the kernel counts them. Its file stays open: opening it costs ten times the reading. */
export class ThreadSchedule {
  private readonly line = Buffer.allocUnsafe(LINE_BYTES_MAX);
  private fd: number | undefined;

  private constructor(fd: number) {
    this.fd = fd;
  }

  /** `folder` is that of the thread below `/proc`. Undefined where the kernel counts nothing, or the thread has ended. */
  static open(folder: string): ThreadSchedule | undefined {
    try {
      return new ThreadSchedule(openSync(`/proc/${folder}/schedstat`, 'r'));
    } catch {
      return undefined;
    }
  }

  /**
   * Milliseconds in which it ran, and in which it was ready to run and had no CPU. Undefined once it has ended, and where
   * the kernel counts nothing: it reports 0 then, which no thread has that runs.
   */
  read(): { ranMs: number; delayedMs: number } | undefined {
    if (this.fd === undefined) return undefined;
    try {
      const length = readSync(this.fd, this.line, 0, LINE_BYTES_MAX, 0);
      const [ran = 0, delayed = 0] = this.line.toString('latin1', 0, length).split(' ').map(Number);
      return ran > 0 ? { ranMs: ran / NS_PER_MS, delayedMs: delayed / NS_PER_MS } : undefined;
    } catch {
      return undefined;
    }
  }

  close(): void {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
  }
}
