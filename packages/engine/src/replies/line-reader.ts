const LINE_BREAK = 0x0a;
/** Lines that are read at once, unless a single one is longer. */
const BATCH_BYTES = 256 * 1024;
/** Of a chunk, beside its bytes: many small ones are bounded, too. */
const CHUNK_BYTES = 128;

/**
 * `line`: a line is longer than allowed. `unread`: lines arrive faster than they are read. `overrun`: lines take too much
 * time or memory to read. `unreadable`: the reader failed.
 */
export type LineFailure = 'line' | 'unread' | 'overrun' | 'unreadable';

export interface LineReaderOptions<Message> {
  lineBytesMax: number;
  unreadBytesMax: number;
  /** Reads whole lines. */
  read: (lines: Uint8Array, signal: AbortSignal) => Promise<readonly Message[] | 'overrun'>;
  /** Receives the messages one by one, in their order. */
  onMessage: (message: Message) => void;
  /** Called once; nothing more is read then. */
  onFailure: (failure: LineFailure) => void;
}

/** Takes in the output of a program that writes one message a line, and reads it in order, one batch at a time. */
export class LineReader<Message> {
  private readonly stopped = new AbortController();
  /** Chunks of a line without its end. */
  private begun: Uint8Array[] = [];
  private begunBytes = 0;
  /** Chunks of whole lines. */
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private reading: Promise<void> | undefined;

  constructor(private readonly options: LineReaderOptions<Message>) {}

  take(chunk: Uint8Array): void {
    if (this.isStopped) return;
    if (this.hasLongLine(chunk)) {
      this.fail('line');
      return;
    }
    const end = chunk.lastIndexOf(LINE_BREAK) + 1;
    if (end > 0) this.endLines(chunk.subarray(0, end));
    this.begin(chunk.subarray(end));
    if (this.unreadBytes > this.options.unreadBytesMax) this.fail('unread');
    else if (this.waiting.length > 0) this.reading ??= this.readAll();
  }

  /** Everything taken in so far has been read, or nothing more will be. Never rejects. */
  async drained(): Promise<void> {
    await this.reading;
  }

  /** Ends the reading. Idempotent. */
  stop(): void {
    this.stopped.abort();
    this.begun = [];
    this.waiting = [];
  }

  private get isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  private get unreadBytes(): number {
    const chunks = this.waiting.length + this.begun.length;
    return this.waitingBytes + this.begunBytes + chunks * CHUNK_BYTES;
  }

  private hasLongLine(chunk: Uint8Array): boolean {
    const { lineBytesMax } = this.options;
    const first = chunk.indexOf(LINE_BREAK);
    if (first < 0) return this.begunBytes + chunk.length > lineBytesMax;
    if (this.begunBytes + first > lineBytesMax) return true;
    for (let start = first + 1; chunk.length - start > lineBytesMax; ) {
      const end = chunk.indexOf(LINE_BREAK, start);
      if (end < 0 || end - start > lineBytesMax) return true;
      start = end + 1;
    }
    return false;
  }

  private endLines(bytes: Uint8Array): void {
    const lines = Buffer.concat([...this.begun, bytes]);
    this.begun = [];
    this.begunBytes = 0;
    this.waiting.push(lines);
    this.waitingBytes += lines.length;
  }

  private begin(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    // A copy: the chunk may be a view of much more.
    this.begun.push(Buffer.from(bytes));
    this.begunBytes += bytes.length;
  }

  private async readAll(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        const messages = await this.options.read(this.nextBatch(), this.stopped.signal);
        if (messages === 'overrun') this.fail('overrun');
        else this.deliver(messages);
      }
    } catch {
      this.fail('unreadable');
    } finally {
      this.reading = undefined;
    }
  }

  private deliver(messages: readonly Message[]): void {
    for (const message of messages) {
      if (this.isStopped) return;
      this.options.onMessage(message);
    }
  }

  private nextBatch(): Uint8Array {
    let [count, bytes] = [0, 0];
    for (const { length } of this.waiting) {
      if (count > 0 && bytes + length > BATCH_BYTES) break;
      count += 1;
      bytes += length;
    }
    this.waitingBytes -= bytes;
    return Buffer.concat(this.waiting.splice(0, count));
  }

  private fail(failure: LineFailure): void {
    if (this.isStopped) return;
    this.stop();
    this.options.onFailure(failure);
  }
}
