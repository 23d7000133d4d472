import { type GateDecision, gateNotesInWords } from '@agentclash/api';
import { formatScore } from '../design/format.js';
import { reasonText } from '../results/reasons.js';

type Decided = Pick<GateDecision, 'reasons' | 'notes' | 'detectable' | 'agents'>;

/** The measures that a gate could not compare, and the smallest loss that it could detect in each dimension. */
export function policyNotes({ reasons, notes = [], detectable = {}, agents = [] }: Decided): string[] {
  const seen = Object.entries(detectable).flatMap(([dimension, loss]) => {
    const none = `too_few_cases_to_test:${dimension}`;
    if (loss === null) return reasons.includes(none) ? [] : [reasonText(none)];
    return [`${dimension}: a loss of ${formatScore(loss)} or more would have been significant (80 % power)`];
  });
  const each = agents.flatMap(({ agent, ...found }) =>
    policyNotes({ ...found, notes: [] }).map((line) => `${agent}: ${line}`),
  );
  return [...gateNotesInWords(notes), ...seen, ...each];
}
