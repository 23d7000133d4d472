import { isJsonObject, type JsonValue } from '@agentclash/challengepack';

const RESULT_BYTES_MAX = 32 * 1024;

/** Stores the whole of a long output; resolves to its path for the agent, or null when it cannot be stored. */
export type Spill = (text: string, field: string) => Promise<string | null>;

/**
 * Brings a result of more than 32 KiB down by replacing its main fields, the largest first, with previews. What is not
 * a main field is never touched.
 */
export async function shrinkResult(
  result: JsonValue,
  mainFields: readonly string[],
  spill: Spill,
): Promise<JsonValue> {
  if (!isJsonObject(result) || sizeOf(result) <= RESULT_BYTES_MAX) return result;
  const shrunk = { ...result };
  const largestFirst = mainFields
    .filter((field) => shrunk[field] !== undefined)
    .sort((a, b) => sizeOf(shrunk[b] ?? null) - sizeOf(shrunk[a] ?? null));
  for (const field of largestFirst) {
    if (sizeOf(shrunk) <= RESULT_BYTES_MAX) break;
    const text = textOf(shrunk[field] ?? null);
    shrunk[field] = previewOf(text, await spill(text, field));
  }
  return shrunk;
}

/** A list is shown one entry a line, so that its preview is cut between entries where it can be. */
function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

function sizeOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

const HEAD = { bytes: 8 * 1024, lines: 100 };
const TAIL = { bytes: 4 * 1024, lines: 50 };

/** The preview of a long output, and the path of the whole. */
export interface Preview {
  truncated: true;
  preview: string;
  full_output_path: string | null;
  total_bytes: number;
  total_lines: number;
  omitted_bytes: number;
  [key: string]: string | number | boolean | null;
}

/** Beginning and end of a text, cut between characters, with a marker between them. */
export function previewOf(text: string, fullOutputPath: string | null): Preview {
  const bytes = Buffer.from(text);
  const head = headOf(bytes);
  const tail = tailOf(bytes.subarray(head.length));
  const omitted = bytes.length - head.length - tail.length;
  const marker = omitted > 0 ? `\n[… ${omitted} bytes omitted …]\n` : '';
  return {
    truncated: true,
    preview: `${head.toString()}${marker}${tail.toString()}`,
    full_output_path: fullOutputPath,
    total_bytes: bytes.length,
    total_lines: countLines(text),
    omitted_bytes: omitted,
  };
}

function headOf(bytes: Buffer): Buffer {
  let end = Math.min(bytes.length, HEAD.bytes);
  while (end > 0 && end < bytes.length && isContinuation(bytes, end)) end--;
  let lines = 0;
  for (let at = 0; at < end; at++) {
    if (bytes[at] === NEWLINE && ++lines === HEAD.lines) return bytes.subarray(0, at + 1);
  }
  return bytes.subarray(0, end);
}

function tailOf(bytes: Buffer): Buffer {
  let start = Math.max(0, bytes.length - TAIL.bytes);
  while (start < bytes.length && isContinuation(bytes, start)) start++;
  let lines = 0;
  for (let at = bytes.length - 2; at >= start; at--) {
    if (bytes[at] === NEWLINE && ++lines === TAIL.lines) return bytes.subarray(at + 1);
  }
  return bytes.subarray(start);
}

const NEWLINE = 0x0a;

/** True when a cut before this byte would split a character. */
function isContinuation(bytes: Buffer, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80;
}

function countLines(text: string): number {
  if (text === '') return 0;
  const breaks = text.split('\n').length - 1;
  return text.endsWith('\n') ? breaks : breaks + 1;
}
