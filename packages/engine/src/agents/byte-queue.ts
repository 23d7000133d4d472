/** Bytes for the input of a process, in the order in which they were added. */
export class ByteQueue implements AsyncIterable<Uint8Array> {
  private readonly chunks: Uint8Array[] = [];
  private isEnded = false;
  private wake: (() => void) | undefined;
  /** Not taken yet. */
  bytes = 0;

  push(chunk: Uint8Array): void {
    if (this.isEnded) return;
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    this.wake?.();
  }

  end(): void {
    this.isEnded = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.chunks.shift();
      if (chunk) {
        this.bytes -= chunk.length;
        yield chunk;
      } else if (this.isEnded) return;
      else {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    }
  }
}
