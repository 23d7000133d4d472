import { isUtf8 } from 'node:buffer';
import { jsonDepth } from '@agentclash/domain';

/** Deeper values are refused: recursive readers would exhaust the stack. */
const DEPTH_MAX = 200;

/** The JSON value of bytes from an agent; undefined when they are no JSON in UTF-8, or nested too deeply. */
export function untrustedJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes) || jsonDepth(bytes) > DEPTH_MAX) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch {
    return undefined;
  }
}
