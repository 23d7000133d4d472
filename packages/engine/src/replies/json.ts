import { isUtf8 } from 'node:buffer';
import { parsedJson } from '@agentclash/model-broker';

/** The JSON value of bytes from an agent; undefined when they are no JSON in UTF-8, or nested too deeply. */
export function untrustedJson(bytes: Uint8Array): unknown {
  return isUtf8(bytes) ? parsedJson(bytes) : undefined;
}
