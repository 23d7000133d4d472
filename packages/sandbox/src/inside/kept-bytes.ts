const PAGE_BYTES = 4_096;
const NOTHING = Buffer.alloc(0);

/**
 * The last bytes of a stream, or all of them. Small chunks are copied into pages: a list of single bytes would take
 * hundreds of bytes for each.
 */
export class KeptBytes {
  readonly #pieces: Buffer[] = [];
  #length = 0;
  /** Free space behind the last piece. */
  #unused: Buffer = NOTHING;

  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  get bytes(): Buffer {
    const all = Buffer.concat(this.#pieces);
    return all.subarray(Math.max(0, all.length - this.most));
  }

  /** Parts in memory. */
  get pieces(): number {
    return this.#pieces.length;
  }

  add(chunk: Buffer): void {
    if (chunk.length < PAGE_BYTES) this.#copy(chunk);
    else {
      this.#pieces.push(chunk);
      this.#unused = NOTHING;
    }
    this.#length += chunk.length;
    for (let first = this.#pieces[0]; first; first = this.#pieces[0]) {
      if (this.#length - first.length < this.most) return;
      this.#pieces.shift();
      this.#length -= first.length;
    }
  }

  #copy(chunk: Buffer): void {
    const last = this.#pieces.at(-1);
    if (last === undefined || this.#unused.length < chunk.length) {
      const page = Buffer.allocUnsafeSlow(PAGE_BYTES);
      chunk.copy(page);
      this.#pieces.push(page.subarray(0, chunk.length));
      this.#unused = page.subarray(chunk.length);
      return;
    }
    chunk.copy(this.#unused);
    this.#pieces[this.#pieces.length - 1] = Buffer.from(
      last.buffer,
      last.byteOffset,
      last.length + chunk.length,
    );
    this.#unused = this.#unused.subarray(chunk.length);
  }
}
