/** Two ends of lines in a row: CR LF is one end, and what an event leaves of its last one is an empty line of the next. */
const EVENT_ENDS = ['\n\n', '\r\r', '\n\r'].map((end) => Buffer.from(end));
const END_LENGTH = 2;

/** Appends chunks into one buffer, so that many small ones take no more memory than a large one. */
export class ByteBuffer {
  private buffer = Buffer.alloc(0);
  private used = 0;

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  append(chunk: Uint8Array): void {
    const needed = this.used + chunk.length;
    if (needed > this.buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2));
      this.bytes.copy(grown);
      this.buffer = grown;
    }
    this.buffer.set(chunk, this.used);
    this.used = needed;
  }

  /** Removes the first bytes. */
  take(count: number): Buffer {
    const taken = Buffer.from(this.buffer.subarray(0, count));
    this.buffer.copyWithin(0, count, this.used);
    this.used -= count;
    return taken;
  }
}

/** Divides a stream of server-sent events between events. Looks at each byte once; the bytes are bounded by its caller. */
export class EventSplitter {
  private readonly pending = new ByteBuffer();

  /** The events that end in this chunk, from the beginning of the first; undefined for none. */
  take(chunk: Uint8Array): Uint8Array | undefined {
    const from = Math.max(0, this.pending.bytes.length - 1);
    this.pending.append(chunk);
    const added = this.pending.bytes.subarray(from);
    const last = Math.max(...EVENT_ENDS.map((end) => added.lastIndexOf(end)));
    return last < 0 ? undefined : this.pending.take(from + last + END_LENGTH);
  }
}
