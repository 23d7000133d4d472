import type { GateDecision } from '@agentclash/api';
import { score } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { reasonText } from './measures.js';

/** What a gate decided, or would decide. */
export type Decided = Pick<
  GateDecision,
  'verdict' | 'reasons' | 'notes' | 'detectable' | 'policy' | 'policy_fingerprint'
>;

const COLORS = { pass: 'green', warn: 'yellow', fail: 'red', insufficient_evidence: 'yellow' } as const;

/** The decision in a line, its reasons below, then what it could not look at and what it could have seen. */
export function gateView(decided: Decided, paint: Paint): string {
  const { verdict, reasons, notes = [], policy, policy_fingerprint } = decided;
  const word = paint[COLORS[verdict]](paint.bold(verdict.replaceAll('_', ' ')));
  const by = paint.dim(`by policy ${oneLine(policy.name)} ${policy_fingerprint.slice(0, 12)}`);
  const minor = [...notes.map(noteText), ...detectableLines(decided)];
  return [
    `gate  ${word}  ${by}`,
    ...reasons.map((reason) => `  ${oneLine(reasonText(reason))}`),
    ...minor.map((line) => paint.dim(`  ${oneLine(line)}`)),
  ].join('\n');
}

export function noteText(note: string): string {
  return `note: ${reasonText(note)}`;
}

/** `correctness: a loss of 0.126 or more would have been significant with 80 % power`, for each compared dimension. */
export function detectableLines({
  reasons,
  detectable = {},
}: Pick<Decided, 'reasons' | 'detectable'>): string[] {
  return Object.entries(detectable).flatMap(([dimension, loss]) => {
    const none = `too_few_cases_to_test:${dimension}`;
    if (loss === null) return reasons.includes(none) ? [] : [reasonText(none)];
    return [`${dimension}: a loss of ${score(loss)} or more would have been significant with 80 % power`];
  });
}
