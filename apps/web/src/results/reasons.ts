import { type GateDecision, gateReasonsInWords, reasonInWords } from '@agentclash/api';

const ADVICE = {
  evaluation_spec_mismatch: 'score one of them again',
  agent_unresolved: 'choose one',
};

/** A reason of a comparison or a gate in words, and what to do where something helps. */
export function reasonText(reason: string): string {
  return reasonInWords(reason, ADVICE);
}

/** The reasons of a gate's decision in words. */
export function gateReasons(decision: Pick<GateDecision, 'reasons' | 'policy' | 'detectable'>): string[] {
  return gateReasonsInWords(decision, ADVICE);
}
