import { createHash } from 'node:crypto';
import { canonicalJson } from '@agentclash/challengepack';

/** SHA-256 in hex of a value's canonical JSON. */
export function sha256Of(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
