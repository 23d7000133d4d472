import { type GateDecision, gateReasonsInWords, reasonInWords } from '@agentclash/api';

const ADVICE = {
  evaluation_spec_mismatch: 're-score one of them',
  agent_unresolved: 'choose one of each',
};

/** The text of a reason of a comparison or a gate, with advice where there is any. */
export function reasonText(reason: string): string {
  return reasonInWords(reason, ADVICE);
}

/** The reasons of a gate's decision in words. */
export function gateReasons(
  decision: Pick<GateDecision, 'reasons' | 'policy' | 'detectable' | 'race' | 'agents'>,
): string[] {
  return gateReasonsInWords(decision, ADVICE);
}
