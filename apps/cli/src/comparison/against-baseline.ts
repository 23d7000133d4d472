import { type Client, type GatePreview, type Run, type RunComparison, routes } from '@agentclash/api';
import { DEFAULT_BASELINE, findBaseline, scopeOf } from '../lookup/baselines.js';
import type { Paint } from '../terminal/output.js';
import { comparisonView } from './comparison-view.js';
import { gateView } from './gate-view.js';

/** A run beside its baseline, and what a gate would decide. */
export interface AgainstBaseline {
  gate: Omit<GatePreview, 'comparison'>;
  comparison: RunComparison;
}

export interface BaselineChoice {
  /** Its name; without one the default, where that is set. */
  baseline?: string;
  policy?: string;
  /** The lane of the run. */
  agent?: string;
}

/**
 * Undefined for a run that is not over, that is the baseline itself, that has none among the runs of its pack and input
 * set, or that cannot be compared with one that nobody named. Nothing is stored.
 */
export async function againstBaseline(
  client: Client,
  run: Pick<Run, 'id' | 'finished_at' | 'pack' | 'input_set'>,
  { baseline: named, policy, agent }: BaselineChoice,
): Promise<AgainstBaseline | undefined> {
  const name = named ?? DEFAULT_BASELINE;
  const baseline = run.finished_at === null ? undefined : await findBaseline(client, name, scopeOf(run));
  if (baseline === undefined || baseline.run_id === run.id) return undefined;
  const lane = agent === undefined ? {} : { candidate_agent: agent };
  const { comparison, ...gate } = await client.call(routes.gates.preview, {
    body: { baseline: name, candidate_run_id: run.id, ...lane, ...(policy !== undefined && { policy }) },
  });
  const isComparable = comparison.comparisons.some(({ comparable }) => comparable);
  return isComparable || named !== undefined ? { gate, comparison } : undefined;
}

export function againstBaselineView({ gate, comparison }: AgainstBaseline, paint: Paint): string {
  return [gateView(gate, paint), '', comparisonView(comparison, paint)].join('\n');
}
