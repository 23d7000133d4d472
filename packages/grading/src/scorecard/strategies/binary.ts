import type { Verdict } from '../types.js';
import { holds, type StrategyInput, type StrategyResult } from './weighed.js';

/** All or nothing: every dimension must reach its own threshold. */
export function binary({ dimensions }: StrategyInput): StrategyResult {
  return { ...verdictOf(dimensions.map(holds)), contributions: dimensions.map(() => null) };
}

function verdictOf(held: readonly (boolean | null)[]): Verdict {
  const isSomeMissing = held.includes(null);
  if (held.includes(false)) {
    const reason = isSomeMissing ? 'dimension_unavailable' : 'dimension_below_threshold';
    return { overall: 0, passed: false, reason };
  }
  if (isSomeMissing) return { overall: null, passed: false, reason: 'dimension_unavailable' };
  return { overall: 1, passed: true, reason: 'all_dimensions_pass' };
}
