import { gateReasonsInWords, type MeasureComparison, reasonInWords } from '@agentclash/api';

/** `+0.050`, with its sign. */
export function signed(value: number | null): string {
  if (value === null) return '-';
  const text = Math.abs(value).toFixed(3);
  return `${value < 0 && Number(text) !== 0 ? '-' : '+'}${text}`;
}

/** `+0.050 [-0.010, +0.110]`, as far as it is known. */
export function difference({ mean_difference: mean, interval }: MeasureComparison): string {
  return interval ? `${signed(mean)} [${signed(interval[0])}, ${signed(interval[1])}]` : signed(mean);
}

export function probability(p: number | null): string {
  if (p === null) return '-';
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

/** By which command something can be done. */
const ADVICE = {
  evaluation_spec_mismatch: 'agentclash run rescore --evaluation-spec',
  agent_unresolved: 'name the lane with --agent, --baseline-agent or --candidate-agent',
};

/** A reason in words: `correctness: lost more than the policy lets pass`. */
export function reasonText(reason: string): string {
  return reasonInWords(reason, ADVICE);
}

/** The reasons of a decision in words. */
export function gateReasons(decided: Parameters<typeof gateReasonsInWords>[0]): string[] {
  return gateReasonsInWords(decided, ADVICE);
}
