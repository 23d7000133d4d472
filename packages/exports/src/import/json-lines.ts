import { jsonDepth, repeatedKey } from '@agentclash/domain';
import type { ImportProblem } from './read-attempt.js';

/** Bytes of one line, levels of its nesting, and lines of a file. */
const LINE_BYTES_MAX = 4_194_304;
const DOCUMENT_BYTES_MAX = 33_554_432;
const DEPTH_MAX = 64;
export const RECORDS_MAX = 100_000;

const NEWLINE = 0x0a;

/** A line's JSON value, or the problem of the line. */
export type JsonLine = { location: string; value: unknown } | { location: string; problems: ImportProblem[] };

/** The values of a file of JSON lines, one at a time; empty lines are skipped. Reading stops after too many. */
export async function* jsonValues(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<JsonLine, void, undefined> {
  let number = 0;
  let records = 0;
  for await (const line of linesOf(content)) {
    number += 1;
    const location = `line ${number}`;
    if (line === 'too_long') {
      yield problem(location, `is longer than ${LINE_BYTES_MAX} bytes`);
      continue;
    }
    const parsed = jsonValue(location, number === 1 ? withoutMark(line) : line);
    if (parsed === undefined) continue;
    records += 1;
    if (records > RECORDS_MAX) {
      yield problem(location, `is one of more than ${RECORDS_MAX} records: split the file`);
      return;
    }
    yield parsed;
  }
}

/** The value of a file that is one JSON document. */
export async function* jsonDocument(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<JsonLine, void, undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of content) {
    length += part.length;
    if (length > DOCUMENT_BYTES_MAX) {
      yield problem('document', `is longer than ${DOCUMENT_BYTES_MAX} bytes`);
      return;
    }
    parts.push(part);
  }
  const parsed = jsonValue('document', withoutMark(Buffer.concat(parts)));
  yield parsed ?? problem('document', 'is empty');
}

/** A JSON text within bounds; undefined for white space. */
export function jsonValue(location: string, bytes: Uint8Array): JsonLine | undefined {
  if (jsonDepth(bytes) > DEPTH_MAX) return problem(location, `is nested deeper than ${DEPTH_MAX} levels`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return problem(location, 'is not UTF-8');
  }
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return problem(
      location,
      `is not JSON: ${error instanceof Error ? error.message.slice(0, 120) : 'unreadable'}`,
    );
  }
  const repeated = repeatedKey(text);
  if (repeated === undefined) return { location, value };
  return { location, problems: [{ location, field: repeated.key, message: 'is there twice in one object' }] };
}

function problem(location: string, message: string): JsonLine {
  return { location, problems: [{ location, field: '', message }] };
}

/** The byte order mark that some programs write first. */
function withoutMark(line: Uint8Array): Uint8Array {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
}

/** Lines without their ends; of one that is too long nothing is kept. */
async function* linesOf(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array | 'too_long', void, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = () => {
    const line = length > LINE_BYTES_MAX ? ('too_long' as const) : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  const keep = (part: Uint8Array) => {
    length += part.length;
    if (length > LINE_BYTES_MAX) parts = [];
    else parts.push(part);
  };
  for await (const chunk of content) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, at));
      yield take();
      from = at + 1;
    }
    keep(chunk.subarray(from));
  }
  if (length > 0) yield take();
}
