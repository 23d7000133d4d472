import type { RowSource } from './row.js';

const UTF8_MARK = [0xef, 0xbb, 0xbf];
/** Of the longest mark. */
const MARK_BYTES_MAX = 4;
const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/** Files that people give instead of a text, by their first bytes. */
const ARCHIVES = [
  { mark: [0x1f, 0x8b], message: 'the file is compressed with gzip: unpack it' },
  {
    mark: [0x50, 0x4b, 0x03, 0x04],
    message: 'the file is a zip archive, as spreadsheets are: save the table as CSV',
  },
];

/** A file whose bytes are no text in UTF-8 from their beginning. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

/** The bytes of a UTF-8 file without its byte order mark. Fails with `EncodingError` for UTF-16. */
export async function* textBytes(source: RowSource): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of source.stream()) {
    if (head === undefined) yield chunk;
    else {
      head = joined([head, chunk]);
      if (head.length < MARK_BYTES_MAX) continue;
      yield withoutMark(head);
      head = undefined;
    }
  }
  if (head !== undefined && head.length > 0) yield withoutMark(head);
}

function withoutMark(head: Uint8Array): Uint8Array {
  const begins = (mark: readonly number[]) => mark.every((byte, index) => head[index] === byte);
  const isWide =
    UTF16_MARKS.some(begins) || (head[0] !== 0 && head[1] === 0) || (head[0] === 0 && head[1] !== 0);
  if (isWide && head.length > 1) throw new EncodingError('the file is UTF-16: save it as UTF-8');
  for (const { mark, message } of ARCHIVES) if (begins(mark)) throw new EncodingError(message);
  return begins(UTF8_MARK) ? head.subarray(UTF8_MARK.length) : head;
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

/** A piece of a file that is collected over chunks, and only counted beyond a length. */
export class Piece {
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(private readonly lengthMax: number) {}

  add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.isTooLong) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  get isTooLong(): boolean {
    return this.#length > this.lengthMax;
  }

  get length(): number {
    return this.#length;
  }

  take(): Uint8Array {
    const bytes = joined(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return bytes;
  }
}
