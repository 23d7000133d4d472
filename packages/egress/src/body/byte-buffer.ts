/**
 * Appends chunks into one buffer. A list of chunks would need a hundred bytes for each of them, and a hostile sender
 * sends single bytes.
 */
export class ByteBuffer {
  private buffer = Buffer.alloc(0);
  private used = 0;

  /** A view, valid until the next change. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  append(chunk: Uint8Array): void {
    const needed = this.used + chunk.length;
    if (needed > this.buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.buffer.length * 2));
      this.bytes.copy(grown);
      this.buffer = grown;
    }
    this.buffer.set(chunk, this.used);
    this.used = needed;
  }

  /** Removes the first bytes and returns them. */
  take(count: number): Buffer {
    const taken = Buffer.from(this.buffer.subarray(0, count));
    this.buffer.copyWithin(0, count, this.used);
    this.used -= count;
    return taken;
  }
}
