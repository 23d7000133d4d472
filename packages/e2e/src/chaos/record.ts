import { type Attempt, type Client, type RankingEntry, routes } from '@agentclash/api';
import { type Recorded, readRecorded } from '../testing/recorded.js';
import type { StoredAttempt } from './stored.js';

/** An agent's place, without what differs from run to run. */
export interface Placing {
  name: string;
  rank: number | null;
  overall: number | null;
  passed: boolean | null;
  validity: string;
}

/** All that is known of one run when it is over. */
export interface RunRecord {
  key: string;
  status: string;
  attempts: Attempt[];
  stored: Map<string, StoredAttempt>;
  scorecards: Map<string, number>;
  events: Recorded[];
  ranking: Placing[];
}

export async function attemptsOf(client: Client, runId: string): Promise<Attempt[]> {
  const all: Attempt[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 200, cursor };
    const page = await client.call(routes.runs.attempts, { params: { run_id: runId }, query });
    all.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

/** In the order of replay, by number: a message that a killed service had not yet stored is stored after its successors. */
export async function eventsOf(client: Client, runId: string): Promise<Recorded[]> {
  const params = { run_id: runId };
  const response = await client.call(routes.runs.events, { params, query: { format: 'ndjson' } });
  const events = readRecorded(await response.text());
  return events.sort((left, right) => left.sequence_number - right.sequence_number);
}

export async function placingsOf(client: Client, runId: string): Promise<Placing[]> {
  const { items } = await client.call(routes.runs.ranking, { params: { run_id: runId } });
  return items.map(placing);
}

function placing({ name, rank, overall, passed, validity }: RankingEntry): Placing {
  return { name, rank, overall, passed, validity };
}
