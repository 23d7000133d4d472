import type { Strategy } from '@agentclash/challengepack';
import { isAtLeast } from '../tolerance.js';
import type { AttemptFacts } from './attempt-facts.js';
import type { RunAgentReason } from './types.js';

interface RunAgentVerdict {
  readonly passed: boolean | null;
  readonly reason: RunAgentReason;
}

interface VerdictInput {
  readonly strategy: Strategy;
  readonly pass_threshold: number | undefined;
  readonly usable: readonly AttemptFacts[];
  readonly overall: number | null;
  readonly gates: Readonly<Record<string, boolean | null>>;
  readonly missing_share: number;
  readonly max_missing_share: number;
}

/** The verdict on the run agent, by the strategy of its evaluation spec. */
export function runAgentVerdict(input: VerdictInput): RunAgentVerdict {
  if (input.usable.length === 0) return { passed: null, reason: 'no_evidence' };
  const verdict = input.strategy === 'binary' ? everyCasePassed(input.usable) : gatesThenThreshold(input);
  // A missing attempt could have failed.
  return verdict.passed === true && isTooMuchMissing(input)
    ? { passed: null, reason: 'missing_share' }
    : verdict;
}

/**
 * True when too few attempts are usable for a verdict `passed` and for a rank above agents without missing attempts.
 */
export function isTooMuchMissing({
  missing_share,
  max_missing_share,
}: Pick<VerdictInput, 'missing_share' | 'max_missing_share'>): boolean {
  return !isAtLeast(max_missing_share, missing_share);
}

function everyCasePassed(usable: readonly AttemptFacts[]): RunAgentVerdict {
  const passed = usable.every((attempt) => attempt.passed === true);
  return { passed, reason: passed ? 'all_cases_pass' : 'case_failed' };
}

function gatesThenThreshold({ strategy, pass_threshold, overall, gates }: VerdictInput): RunAgentVerdict {
  const held = Object.values(gates);
  if (held.includes(null)) return { passed: false, reason: 'gate_unavailable' };
  if (held.includes(false)) return { passed: false, reason: 'gate_failed' };
  if (pass_threshold !== undefined) {
    if (overall === null) return { passed: strategy === 'hybrid' ? false : null, reason: 'no_evidence' };
    const passed = isAtLeast(overall, pass_threshold);
    return { passed, reason: passed ? 'threshold_met' : 'below_threshold' };
  }
  return held.length > 0 ? { passed: true, reason: 'gates_hold' } : { passed: null, reason: 'no_pass_bar' };
}
