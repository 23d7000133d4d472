import type { Verdict } from '../types.js';
import { againstThreshold, holds, type StrategyInput, type StrategyResult, weightedMean } from './weighed.js';

/** The mean of everything available; gates and a threshold, where there are any, decide the verdict. */
export function weighted({ dimensions, pass_threshold }: StrategyInput): StrategyResult {
  const mean = weightedMean(dimensions, () => true);
  const gates = dimensions.filter(({ gate }) => gate).map(holds);
  return { ...mean, ...verdictOf(gates, mean.overall, pass_threshold) };
}

function verdictOf(
  gates: readonly (boolean | null)[],
  overall: number | null,
  threshold: number | undefined,
): Pick<Verdict, 'passed' | 'reason'> {
  if (gates.includes(null)) return { passed: false, reason: 'gate_unavailable' };
  if (gates.includes(false)) return { passed: false, reason: 'gate_failed' };
  if (overall === null) return { passed: null, reason: 'no_evidence' };
  if (threshold !== undefined) return againstThreshold(overall, threshold);
  return gates.length > 0 ? { passed: true, reason: 'gates_hold' } : { passed: null, reason: 'no_pass_bar' };
}
