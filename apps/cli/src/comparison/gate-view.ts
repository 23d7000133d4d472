import type { GateDecision } from '@agentclash/api';
import type { Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { reasonText } from './measures.js';

const COLORS = { pass: 'green', warn: 'yellow', fail: 'red', insufficient_evidence: 'yellow' } as const;

/** The decision in a line, and its reasons below. */
export function gateView(
  { verdict, reasons, policy, policy_fingerprint }: GateDecision,
  paint: Paint,
): string {
  const word = paint[COLORS[verdict]](paint.bold(verdict.replaceAll('_', ' ')));
  const by = paint.dim(`by policy ${oneLine(policy.name)} ${policy_fingerprint.slice(0, 12)}`);
  return [`gate  ${word}  ${by}`, ...reasons.map((reason) => `  ${oneLine(reasonText(reason))}`)].join('\n');
}
