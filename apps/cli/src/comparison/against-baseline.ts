import {
  ApiError,
  type Client,
  type GateDecision,
  type Run,
  type RunComparison,
  routes,
} from '@agentclash/api';
import { DEFAULT_BASELINE, findBaseline } from '../lookup/baselines.js';
import type { Paint } from '../terminal/output.js';
import { comparisonView } from './comparison-view.js';
import { gateView } from './gate-view.js';

/** A run beside its baseline. `gate` is null where the token may only read. */
export interface AgainstBaseline {
  gate: GateDecision | null;
  comparison: RunComparison;
}

export interface BaselineChoice {
  /** Its name; without one the default, where that is set. */
  baseline?: string;
  policy?: string;
  /** The lane of the run. */
  agent?: string;
}

/** Undefined for a run that is not over, that is the baseline itself, or that has none to stand beside. */
export async function againstBaseline(
  client: Client,
  { id, finished_at }: Pick<Run, 'id' | 'finished_at'>,
  { baseline: named, policy, agent }: BaselineChoice,
): Promise<AgainstBaseline | undefined> {
  const name = named ?? DEFAULT_BASELINE;
  const baseline = finished_at === null ? undefined : await findBaseline(client, name);
  if (baseline === undefined || baseline.run_id === id) return undefined;
  const lane = agent === undefined ? {} : { candidate_agent: agent };
  const compare = { baseline: name, candidate: id, ...lane };
  const gate = await unlessForbidden(
    client.call(routes.gates.evaluate, {
      body: { baseline: name, candidate_run_id: id, ...lane, ...(policy !== undefined && { policy }) },
    }),
  );
  const comparison =
    gate === null
      ? await client.call(routes.comparisons.compare, { query: compare })
      : await client.call(routes.comparisons.get, { params: { comparison_id: gate.comparison_id } });
  return { gate, comparison };
}

export function againstBaselineView({ gate, comparison }: AgainstBaseline, paint: Paint): string {
  const decided = gate === null ? [] : [gateView(gate, paint), ''];
  return [...decided, comparisonView(comparison, paint)].join('\n');
}

async function unlessForbidden<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'forbidden') return null;
    throw error;
  }
}
