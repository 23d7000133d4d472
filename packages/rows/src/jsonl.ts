import type { RowBatch } from '@agentclash/challengepack';
import { Piece, textBytes } from './bytes.js';
import { readObject } from './json-values.js';
import { Batching, ROW_BYTES_MAX, ROW_LIMIT, type RowSource } from './row.js';

const LINE_FEED = 0x0a;

/** One object in each line; empty lines are none. */
export async function* readJsonl(source: RowSource): AsyncGenerator<RowBatch> {
  const batching = new Batching();
  const line = new Piece(ROW_BYTES_MAX);
  let number = 1;
  for await (const chunk of textBytes(source)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      line.add(chunk.subarray(from, end));
      from = end + 1;
      addElement(line, batching, number);
      number += 1;
      yield* batching.full();
    }
    // The chunk may be used again by its reader.
    line.add(chunk.slice(from));
  }
  addElement(line, batching, number);
  yield* batching.rest();
}

/** Reads the object in a piece of a file; nothing for a blank one. */
export function addElement(piece: Piece, batching: Batching, line?: number): void {
  const { isTooLong, length } = piece;
  const bytes = piece.take();
  const at = line === undefined ? {} : { line };
  if (isTooLong) batching.skip({ ...at, message: `has more than ${ROW_LIMIT}` });
  else if (!isBlank(bytes)) {
    const reading = readObject(bytes);
    if ('problem' in reading) batching.skip({ ...at, ...reading.problem });
    else batching.add(reading.values, length, line);
  }
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => BLANKS.has(byte));
}
