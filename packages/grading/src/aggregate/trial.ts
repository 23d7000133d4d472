import type { Strategy } from '@agentclash/challengepack';
import type { AttemptFacts } from './attempt-facts.js';

/** 1 when the attempt passed, 0 when it failed, null when that is unknown. */
export function trialOf(attempt: AttemptFacts, strategy: Strategy): 0 | 1 | null {
  if (attempt.passed === null) return null;
  if (attempt.passed) return 1;
  return failedForWantOfEvidence(attempt, strategy) ? null : 0;
}

/** Whether the verdict is false only because something was unavailable, nothing being below its bar. */
function failedForWantOfEvidence(attempt: AttemptFacts, strategy: Strategy): boolean {
  if (attempt.reason !== 'gate_unavailable' && attempt.reason !== 'dimension_unavailable') return false;
  // Binary and hybrid score 0 as soon as something is below; a weighted mean does not show it.
  if (strategy !== 'weighted') return attempt.overall === null;
  return !Object.values(attempt.gates).includes(false);
}
