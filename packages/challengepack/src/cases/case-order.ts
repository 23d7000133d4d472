import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { jsonText } from '../values/json-text.js';

/** Part of every hash: an order that a seed has drawn stays the same for ever, and another procedure gets another name. */
const PROCEDURE = 'sha256-sort.v1';

/**
 * The random order of a run's cases: ascending by the SHA-256, in hex, of the RFC 8785 text of
 * `["sha256-sort.v1", seed, case key]`, all three texts. It depends on nothing else: neither on the order of the cases in the pack nor on
 * the other cases. Keys are unique.
 */
export function drawCaseOrder(seed: number, caseKeys: readonly string[]): string[] {
  return caseKeys
    .map((caseKey) => ({ caseKey, rank: hashOf(jsonText([PROCEDURE, String(seed), caseKey])) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ caseKey }) => caseKey);
}

function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
