import {
  type Attempt,
  type Client,
  type ResponseOutput,
  type Run,
  type RunAgent,
  routes,
} from '@agentclash/api';
import { REPLAY_DIVERGED } from '@agentclash/domain';
import { CommandError } from '../command-error.js';
import { allPages, PAGE_SIZE } from './all-pages.js';
import { findAttemptId, findRunId } from './id-part.js';
import { isResultsFile } from './results-file.js';

/** A run by its number, its id or a part of that; `last`, or nothing, is the newest. */
export async function getRun(client: Client, reference = 'last'): Promise<Run> {
  if (isResultsFile(reference)) {
    throw new CommandError('usage', `${reference} is a file of results, and this is for runs of a server`, {
      hint: `agentclash push ${reference} stores it on the server.`,
    });
  }
  if (reference !== 'last') {
    const run_id = await findRunId(client, reference);
    if (run_id !== undefined) return client.call(routes.runs.get, { params: { run_id } });
    throw new CommandError('not_found', `There is no run "${reference}"`, {
      hint: 'agentclash run list shows them.',
    });
  }
  const { items } = await client.call(routes.runs.list, { query: { limit: 1 } });
  const [newest] = items;
  if (newest === undefined)
    throw new CommandError('not_found', 'There is no run yet', {
      hint: 'agentclash run start makes one.',
    });
  // A list has neither verdicts nor budgets of races, and only a list has the agents.
  if (newest.stop_when !== undefined) {
    return await client.call(routes.runs.get, { params: { run_id: newest.id } });
  }
  const { agents: _listed, ...run } = newest;
  return run;
}

export async function agentsOf(client: Client, runId: string): Promise<RunAgent[]> {
  return (await client.call(routes.runs.agents, { params: { run_id: runId } })).items;
}

/** The lane of this name or id. Fails with a `CommandError`. */
export function laneOf(lanes: readonly RunAgent[], name: string): RunAgent {
  const found = lanes.find((lane) => lane.name === name || lane.id === name);
  if (found !== undefined) return found;
  throw new CommandError('not_found', `The run has no lane "${name}"`, {
    choices: lanes.map((lane) => lane.name),
  });
}

export function attemptsOf(
  client: Client,
  runId: string,
  filter: Partial<Pick<Attempt, 'state' | 'run_agent_id'>> & {
    outcome?: NonNullable<Attempt['outcome']>;
  } = {},
): Promise<Attempt[]> {
  return allPages((cursor) =>
    client.call(routes.runs.attempts, {
      params: { run_id: runId },
      query: { limit: PAGE_SIZE, cursor, ...filter },
    }),
  );
}

export const isDiverged = ({ error }: Pick<Attempt, 'error'>): boolean => error?.code === REPLAY_DIVERGED;

/** The attempts of a replay that differ from the recorded ones; of other runs nothing is read. */
export async function divergedAttemptsOf(
  client: Client,
  { id, model_calls }: Pick<Run, 'id' | 'model_calls'>,
): Promise<Attempt[]> {
  if (model_calls !== 'replay') return [];
  return (await attemptsOf(client, id, { outcome: 'infra_error' })).filter(isDiverged);
}

/** An attempt by its id or a part of it. */
export async function getAttempt(
  client: Client,
  id: string,
): Promise<ResponseOutput<typeof routes.attempts.get>> {
  const attempt_id = await findAttemptId(client, id);
  if (attempt_id !== undefined) return await client.call(routes.attempts.get, { params: { attempt_id } });
  throw new CommandError('not_found', `There is no attempt "${id}"`, {
    hint: 'agentclash run attempts shows the ids.',
  });
}

/** The same; `last` is the attempt of the newest run that has ended last. */
export async function getAttemptOrLast(
  client: Client,
  reference: string,
): Promise<ResponseOutput<typeof routes.attempts.get>> {
  return await getAttempt(client, reference === 'last' ? await lastAttemptId(client) : reference);
}

async function lastAttemptId(client: Client): Promise<string> {
  const { id } = await getRun(client);
  const ended = (await attemptsOf(client, id)).flatMap((attempt) =>
    attempt.finished_at === null ? [] : [{ ...attempt, endedAt: Date.parse(attempt.finished_at) }],
  );
  const [first, ...others] = ended;
  if (first === undefined) {
    throw new CommandError('not_found', `No attempt of the run ${id} has ended`, {
      hint: `agentclash run attempts ${id} shows the ids; agentclash run show ${id} --follow waits.`,
    });
  }
  return others.reduce((last, each) => (each.endedAt > last.endedAt ? each : last), first).id;
}
