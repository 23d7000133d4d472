import { ApiError, type Baseline, type Client, routes } from '@agentclash/api';
import { isId } from './not-found.js';
import { getRun } from './runs.js';

export const DEFAULT_BASELINE = 'default';

/** A side of a comparison as the API takes it: a run's id, or the name of a baseline. `last` is the newest run. */
export async function sideOf(client: Client, reference: string): Promise<string> {
  return reference === 'last' ? (await getRun(client, reference)).id : reference;
}

/** A baseline as a gate takes it: by name, or the run itself. */
export async function gateBaseline(client: Client, reference: string | undefined) {
  if (reference === undefined) return {};
  const side = await sideOf(client, reference);
  return isId(side) ? { baseline_run_id: side } : { baseline: side };
}

export async function findBaseline(client: Client, name: string): Promise<Baseline | undefined> {
  try {
    return await client.call(routes.baselines.get, { params: { name } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}
