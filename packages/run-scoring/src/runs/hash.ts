import { createHash } from 'node:crypto';
import { canonicalJson } from '@agentclash/challengepack';

/** SHA-256 in hex of a value's canonical JSON. */
export function sha256Of(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** `sha256Of` an array of texts, without the text of the whole array in memory. */
export function sha256OfTexts(texts: readonly string[]): string {
  const hash = createHash('sha256').update('[');
  for (const [index, text] of texts.entries()) hash.update(`${index === 0 ? '' : ','}${canonicalJson(text)}`);
  return hash.update(']').digest('hex');
}
