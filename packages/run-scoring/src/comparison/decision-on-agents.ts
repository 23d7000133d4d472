import { ContractError, type GatePreview } from '@agentclash/contracts';
import type { GateVerdict } from '@agentclash/domain';

/** The findings on one pair of lanes. */
export type GateFindings = Pick<
  GatePreview,
  'verdict' | 'reasons' | 'exit_code' | 'notes' | 'detectable' | 'race'
>;

const WORST_FIRST: readonly GateVerdict[] = ['fail', 'insufficient_evidence', 'warn', 'pass'];

/** The decision on all pairs: that of the only one, else the worst, with reasons that name the agents. */
export function decisionOn(
  findings: readonly (GateFindings & { agent: string })[],
): GateFindings & Pick<GatePreview, 'agents'> {
  const sorted = findings.toSorted(
    (left, right) => WORST_FIRST.indexOf(left.verdict) - WORST_FIRST.indexOf(right.verdict),
  );
  const [worst] = sorted;
  if (worst === undefined) throw new ContractError('internal', 'A gate compares at least one pair of lanes.');
  const { agent: _agent, ...only } = worst;
  if (findings.length === 1) return only;
  const { verdict, exit_code } = worst;
  const failing = sorted.filter((each) => each.verdict !== 'pass');
  return {
    ...{ verdict, exit_code, detectable: {} },
    reasons:
      verdict === 'pass' ? worst.reasons : failing.flatMap(({ agent, reasons }) => ofAgent(agent, reasons)),
    notes: findings.flatMap(({ agent, notes = [] }) => ofAgent(agent, notes)),
    agents: findings.map(({ exit_code: _code, ...finding }) => finding),
  };
}

/** `CODE:AGENT`, or `CODE:AGENT / DIMENSION`. */
function ofAgent(agent: string, reasons: readonly string[]): string[] {
  return reasons.map((reason) => {
    const [code, ...subject] = reason.split(':');
    return subject.length === 0 ? `${code}:${agent}` : `${code}:${agent} / ${subject.join(':')}`;
  });
}
