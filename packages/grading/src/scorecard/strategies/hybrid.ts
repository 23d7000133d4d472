import { againstThreshold, holds, type StrategyInput, type StrategyResult, weightedMean } from './weighed.js';

/**
 * Gates first, and they do not weigh; then the mean of the other dimensions. Where all dimensions are gates, these are
 * all the evidence there is, and their mean counts.
 */
export function hybrid({ dimensions, pass_threshold }: StrategyInput): StrategyResult {
  const gates = dimensions.filter(({ gate }) => gate).map(holds);
  const isSomeMissing = gates.includes(null);
  const contributions = dimensions.map(() => null);
  if (gates.includes(false)) {
    const reason = isSomeMissing ? 'gate_unavailable' : 'gate_failed';
    return { overall: 0, passed: false, reason, contributions };
  }
  if (isSomeMissing) return { overall: null, passed: false, reason: 'gate_unavailable', contributions };
  const hasOthers = dimensions.some(({ gate }) => !gate);
  const mean = weightedMean(dimensions, ({ gate }) => !hasOthers || !gate);
  if (pass_threshold === undefined) return { ...mean, passed: true, reason: 'gates_hold' };
  if (mean.overall === null) return { ...mean, passed: false, reason: 'no_evidence' };
  return { ...mean, ...againstThreshold(mean.overall, pass_threshold) };
}
