import { jsonDepth } from '@agentclash/domain';

/** Deeper values are refused: recursive readers would exhaust the stack. */
const DEPTH_MAX = 200;

/** The JSON value of a body; undefined for one that is no JSON, or nests too deep. */
export function parsedJson(body: Uint8Array): unknown {
  if (jsonDepth(body) > DEPTH_MAX) return undefined;
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
  } catch {
    return undefined;
  }
}

/** The same for a text. */
export function parsedText(text: string): unknown {
  // A shorter text cannot nest that deep.
  if (text.length > 2 * DEPTH_MAX && jsonDepth(Buffer.from(text)) > DEPTH_MAX) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
