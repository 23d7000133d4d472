import { isJsonObject, type JsonValue } from '@agentclash/challengepack';
import { previewOf } from './preview.js';

const RESULT_BYTES_MAX = 32 * 1024;

/** Keeps the whole of a long output; resolves to the path an agent finds it at, or null when it cannot be kept. */
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
