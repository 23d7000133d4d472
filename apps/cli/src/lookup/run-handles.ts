import { ApiError, type Client, type Run, routes, runHandle } from '@agentclash/api';

/** Runs that are read at the same time. */
const AT_ONCE = 16;

/** A run that may have been deleted. */
export async function findRun(client: Client, run_id: string): Promise<Run | undefined> {
  try {
    return await client.call(routes.runs.get, { params: { run_id } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** `#42` for the id of a run, from the ids that a list has; the id itself for a run that was deleted. */
export async function runHandlesOf(client: Client, ids: Iterable<string>): Promise<(id: string) => string> {
  const distinct = [...new Set(ids)];
  const handles = new Map<string, string>();
  for (let at = 0; at < distinct.length; at += AT_ONCE) {
    const runs = await Promise.all(distinct.slice(at, at + AT_ONCE).map((id) => findRun(client, id)));
    for (const run of runs) if (run !== undefined) handles.set(run.id, runHandle(run));
  }
  return (id) => handles.get(id) ?? id;
}
