import type { GateDecision } from '@agentclash/api';
import { type JUnitCase, type JUnitOutcome, junitReport } from '../reports/junit.js';
import { reasonText } from './measures.js';

/** What each kind of reason is to a CI system; all others are want of evidence. */
const KINDS: Readonly<Record<string, 'failure' | 'note'>> = {
  candidate_failed: 'failure',
  not_passed: 'failure',
  regression_fail: 'failure',
  regression_warn: 'note',
  within_thresholds: 'note',
};

/** A decision as a suite: one case for the evidence, one for the candidate, one per dimension of the policy. */
export function gateJunit(decision: GateDecision): string {
  const { policy, reasons, notes = [], detectable = {} } = decision;
  const dimensions = [...new Set([...Object.keys(policy.comparisons ?? {}), ...Object.keys(detectable)])];
  const cases = new Map<string, string[]>(['gate', ...dimensions].map((name) => [name, []]));
  for (const reason of [...reasons, ...notes]) {
    const [, ...rest] = reason.split(':');
    const name = rest.join(':');
    (cases.get(name) ?? cases.get('gate') ?? []).push(reason);
  }
  const all = [...cases].map(
    ([name, own]): JUnitCase => ({ classname: policy.name, name, outcome: outcomeOf(own, new Set(notes)) }),
  );
  return junitReport(`agentclash gate ${policy.name}`, all);
}

function outcomeOf(reasons: readonly string[], notes: ReadonlySet<string>): JUnitOutcome {
  const kindOf = (reason: string) =>
    notes.has(reason) ? 'note' : (KINDS[reason.split(':')[0] ?? ''] ?? 'error');
  const message = reasons.map(reasonText).join('; ');
  const type = reasons.join(' ');
  if (reasons.some((reason) => kindOf(reason) === 'failure')) return { kind: 'failure', type, message };
  if (reasons.some((reason) => kindOf(reason) === 'error')) return { kind: 'error', type, message };
  return reasons.length === 0 ? { kind: 'passed' } : { kind: 'passed', note: message };
}
