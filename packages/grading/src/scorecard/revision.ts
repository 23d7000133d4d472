import type { EvaluationSpec } from '@agentclash/challengepack';
import { canonicalSha256 } from '../canonical.js';
import type { AttemptEvidence } from '../evidence/types.js';
import type { ScoringInput } from './score-attempt.js';

/** The hashes of a scorecard's inputs: equal hashes mean equal scorecards. */
export interface ScoringHashes {
  /** SHA-256 in hex of the canonical evaluation spec. */
  readonly spec_hash: string;
  /** SHA-256 in hex of the canonical evidence, judge records and security input included. */
  readonly evidence_hash: string;
}

export function scoringHashes(
  spec: EvaluationSpec,
  evidence: AttemptEvidence,
  { judge_records = [], security }: ScoringInput = {},
): ScoringHashes {
  return {
    spec_hash: canonicalSha256(spec),
    evidence_hash: canonicalSha256({ evidence, judge_records, security: security ?? null }),
  };
}
