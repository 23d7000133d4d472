import type { Baseline } from '@agentclash/api';
import { oneLine } from '../../terminal/printable.js';

/** `default of sums / main is run … (agent)`. */
export function baselineLine(baseline: Baseline): string {
  const { run_id, agent_name } = baseline;
  return oneLine(
    `${baselineTitle(baseline)} is run ${run_id}${agent_name === null ? '' : ` (${agent_name})`}`,
  );
}

/** `default of sums / main`. */
export function baselineTitle({
  name,
  pack,
  input_set,
}: Pick<Baseline, 'name' | 'pack' | 'input_set'>): string {
  return pack === undefined || input_set === undefined ? name : `${name} of ${pack} / ${input_set}`;
}
