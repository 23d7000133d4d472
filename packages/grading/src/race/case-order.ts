import { compareCodePoints } from '@agentclash/challengepack';
import { canonicalSha256 } from '../canonical.js';

/** The procedure of {@link drawCaseOrder}. It is stored beside a seed; another procedure gets another name. */
export const CASE_ORDER_VERSION = 'sha256-sort.v1';

/**
 * The random order in which a race takes its cases: ascending by the SHA-256, in hex, of the RFC 8785 text of
 * `["sha256-sort.v1", seed, case key]`. It depends on nothing else: not on the order of the cases in the pack, not on the
 * platform. Keys are unique.
 */
export function drawCaseOrder(seed: string, caseKeys: readonly string[]): string[] {
  return caseKeys
    .map((caseKey) => ({ caseKey, rank: canonicalSha256([CASE_ORDER_VERSION, seed, caseKey]) }))
    .sort((a, b) => compareCodePoints(a.rank, b.rank))
    .map(({ caseKey }) => caseKey);
}
