import { encodeFrame, encodeNumber, type Frame, INPUT_WINDOW_BYTES, type InsideLink } from './wire.js';

const INPUT_CHUNK_BYTES = 64 << 10;

export interface TaskOutput {
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
  /** A command is about to run. */
  onStarted?(): void;
}

export type TaskExit = {
  timedOut: boolean;
  truncated: boolean;
  /** The kernel killed a process of the sandbox for memory meanwhile, where that can be seen inside. */
  oomKilled?: boolean;
  /** From the start of a command to its end, as its own reaper saw it; absent of one that was killed with that. */
  ranMs?: number;
} & ({ kind: 'code'; code: number } | { kind: 'signal'; signal: number } | { kind: 'refused'; code: number });

const TIMED_OUT = 1;
const TRUNCATED = 2;
const OOM_KILLED = 4;
const EXIT_BYTES = 8;

/** One request under way: passes its output on and keeps its input within the window. */
export class Task {
  readonly exit: Promise<TaskExit>;
  #credit = INPUT_WINDOW_BYTES;
  #isOver = false;
  readonly #over: Promise<undefined>;
  #onCredit: (() => void) | undefined;
  #resolve!: (exit: TaskExit) => void;
  #reject!: (error: Error) => void;

  constructor(
    private readonly id: number,
    private readonly link: InsideLink,
    private readonly output: TaskOutput,
  ) {
    this.exit = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const nothing = () => undefined;
    this.#over = this.exit.then(nothing, nothing);
  }

  cancel(): void {
    if (!this.#isOver) this.link.send(encodeFrame('cancel', this.id));
  }

  /** Kills it as one whose time limit was reached, which its exit reports. */
  expire(): void {
    if (!this.#isOver) this.link.send(encodeFrame('expire', this.id));
  }

  /** Reports that this much output has been consumed; needed only for tasks with a window. */
  acknowledge(bytes: number): void {
    if (!this.#isOver) this.link.send(encodeFrame('credit', this.id, encodeNumber(bytes)));
  }

  /** Sends everything and the end. Stops early, without an error, when the task is over. */
  async sendInput(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const source = iteratorOf(chunks);
    for (;;) {
      const next = await Promise.race([source.next(), this.#over]);
      if (next === undefined || this.#isOver) {
        // A source that stalls must not hold up a task that is over.
        void Promise.resolve(source.return?.()).catch(() => {});
        return;
      }
      if (next.done) break;
      await this.#sendPieces(next.value);
    }
    this.link.send(encodeFrame('inputEnd', this.id));
  }

  onFrame(frame: Frame): void {
    if (frame.type === 'stdout') this.output.onStdout(frame.payload);
    else if (frame.type === 'stderr') this.output.onStderr(frame.payload);
    else if (frame.type === 'started') this.output.onStarted?.();
    else if (frame.type === 'credit') this.#addCredit(frame.payload.readUInt32LE(0));
    else this.#finish(frame.payload);
  }

  fail(error: Error): void {
    this.#end();
    this.#reject(error);
  }

  async #sendPieces(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.byteLength && !this.#isOver; at += INPUT_CHUNK_BYTES) {
      await this.#sendPiece(chunk.subarray(at, at + INPUT_CHUNK_BYTES));
    }
  }

  async #sendPiece(chunk: Uint8Array): Promise<void> {
    while (this.#credit < chunk.byteLength && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#onCredit = resolve;
      });
    }
    if (this.#isOver) return;
    this.#credit -= chunk.byteLength;
    this.link.send(encodeFrame('input', this.id, chunk));
  }

  #addCredit(bytes: number): void {
    this.#credit = Math.min(this.#credit + bytes, INPUT_WINDOW_BYTES);
    this.#onCredit?.();
  }

  #finish(payload: Buffer): void {
    const [kind, flags, code] = [payload.readUInt8(0), payload.readUInt8(1), payload.readUInt8(2)];
    const ranMs = payload.length < EXIT_BYTES ? 0 : payload.readUInt32LE(4);
    const seen = {
      timedOut: (flags & TIMED_OUT) !== 0,
      truncated: (flags & TRUNCATED) !== 0,
      ...((flags & OOM_KILLED) !== 0 && { oomKilled: true }),
      ...(ranMs > 0 && { ranMs }),
    };
    this.#end();
    if (kind === 0) this.#resolve({ ...seen, kind: 'code', code });
    else if (kind === 1) this.#resolve({ ...seen, kind: 'signal', signal: code });
    else this.#resolve({ ...seen, kind: 'refused', code: code });
  }

  #end(): void {
    this.#isOver = true;
    this.#onCredit?.();
  }
}

function iteratorOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  return Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
}
