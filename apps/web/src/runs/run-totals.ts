import type { Run } from '@agentclash/api';

/** The best score of the agents of a run, so far; null before the first. */
export function bestScore({ agents = [] }: Pick<Run, 'agents'>): number | null {
  const scores = agents.flatMap(({ overall_so_far: score }) => score ?? []);
  return scores.length === 0 ? null : Math.max(...scores);
}

interface Costs {
  cost_usd?: number | null | undefined;
  cost_at_least_usd?: number | undefined;
}

/** The cost of all agents together; null where that of one is unknown, with the known part. */
export function costOfRun({ agents = [] }: { agents?: readonly Costs[] | undefined }): {
  cost_usd: number | null;
  cost_at_least_usd?: number;
} {
  const known = agents.map((agent) => agent.cost_usd ?? agent.cost_at_least_usd ?? 0);
  const sum = known.reduce((total, usd) => total + usd, 0);
  const isKnown = agents.length > 0 && agents.every(({ cost_usd: usd }) => typeof usd === 'number');
  return isKnown ? { cost_usd: sum } : { cost_usd: null, ...(sum > 0 && { cost_at_least_usd: sum }) };
}

/** Until now where the run has not ended; null before its start, and for a run that was resumed after its end. */
export function durationMs(
  { started_at: started, finished_at: finished, selective_retry: isRetried }: Run,
  now = Date.now(),
): number | null {
  if (started === null || isRetried) return null;
  return Math.max(0, (finished === null ? now : Date.parse(finished)) - Date.parse(started));
}
