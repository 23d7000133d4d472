import { reasonInWords } from '@agentclash/api';

const ADVICE = {
  evaluation_spec_mismatch: 'score one of them again',
  agent_unresolved: 'choose one',
};

/** A reason of a comparison or a gate in words, and what to do where something helps. */
export function reasonText(reason: string): string {
  return reasonInWords(reason, ADVICE);
}
