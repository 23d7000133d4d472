import { createHash } from 'node:crypto';
import { canonicalJson } from '@agentclash/challengepack';

/** `sha256:` and the hex digest of a value's canonical JSON. */
export function sha256Of(value: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}
