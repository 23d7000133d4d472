import type { Baseline } from '@agentclash/api';
import { oneLine } from '../../terminal/printable.js';

/** `default is run … (agent)`. */
export function baselineLine({ name, run_id, agent_name }: Baseline): string {
  return oneLine(`${name} is run ${run_id}${agent_name === null ? '' : ` (${agent_name})`}`);
}
