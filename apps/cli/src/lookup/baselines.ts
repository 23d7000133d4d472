import { ApiError, type Baseline, type Client, type Run, routes } from '@agentclash/api';
import { allPages, PAGE_SIZE } from './all-pages.js';
import { findRunId, isId, isRunPart } from './id-part.js';
import { getRun } from './runs.js';

/**
 * A side of a comparison as the API takes it: a run's id, or the name of a baseline. `last` is the newest run; the
 * number of a run, or a part of its id, is the run unless a baseline is called so.
 */
export async function sideOf(client: Client, reference: string): Promise<string> {
  if (reference === 'last') return (await getRun(client, reference)).id;
  if (isId(reference) || !isRunPart(reference)) return reference;
  const baselines = await allPages((cursor) =>
    client.call(routes.baselines.list, { query: { limit: PAGE_SIZE, cursor } }),
  );
  if (baselines.some(({ name }) => name === reference)) return reference;
  return (await findRunId(client, reference)) ?? reference;
}

/** A baseline as a gate takes it: by name, or the run itself. */
export async function gateBaseline(client: Client, reference: string | undefined) {
  if (reference === undefined) return {};
  const side = await sideOf(client, reference);
  return isId(side) ? { baseline_run_id: side } : { baseline: side };
}

/** Which of several baselines of one name: as the API takes it. */
export interface BaselineScope {
  pack?: string;
  input_set?: string;
}

/** Among the runs of a run's pack and input set. */
export function scopeOf({ pack, input_set }: Pick<Run, 'pack' | 'input_set'>): BaselineScope {
  return { pack: pack.slug, input_set: input_set.key };
}

/** The choice of a command line: by a run that it is to be compared with, or by what that has. */
export async function chosenScope(
  client: Client,
  { run, pack, inputSet }: { run?: string; pack?: string; inputSet?: string },
): Promise<BaselineScope> {
  return {
    ...(run !== undefined && scopeOf(await getRun(client, run))),
    ...(pack !== undefined && { pack }),
    ...(inputSet !== undefined && { input_set: inputSet }),
  };
}

export async function findBaseline(
  client: Client,
  name: string,
  query: BaselineScope,
): Promise<Baseline | undefined> {
  try {
    return await client.call(routes.baselines.get, { params: { name }, query });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}
