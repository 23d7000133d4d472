/** What was sent to a process and not yet read by it; without an end of its own. */
export class InputQueue implements AsyncIterable<Uint8Array> {
  readonly #waiting: Uint8Array[] = [];
  #wake = () => {};

  push(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
