import { createHash } from 'node:crypto';
import { jsonText } from '@agentclash/challengepack';

/** SHA-256 in hex of a JSON value's RFC 8785 text. */
export function canonicalSha256(value: unknown): string {
  return sha256Hex(jsonText(value));
}

/** SHA-256 in hex of a text's UTF-8 bytes. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
