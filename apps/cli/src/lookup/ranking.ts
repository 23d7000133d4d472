import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Run, routes } from '@agentclash/api';
import { RankingRow } from '../scorecard/ranking-row.js';

export interface Ranking {
  run_id: string;
  state: 'pending' | 'ready' | 'failed';
  revision: number | null;
  items: RankingRow[];
}

export async function getRanking(client: Client, runId: string): Promise<Ranking> {
  const ranking = await client.call(routes.runs.ranking, { params: { run_id: runId } });
  return { ...ranking, items: ranking.items.map((item) => RankingRow.parse(item)) };
}

/** What a person is told of a run without a ranking. */
export function whyNoRanking({ status, failure }: Pick<Run, 'status' | 'failure'>): string {
  if (status === 'cancelled') return 'The run was cancelled: it has no ranking, and will have none.';
  if (status === 'failed') return `The run failed${failure ? ` (${failure.code})` : ''}: it has no ranking.`;
  return 'There is no ranking yet. It comes when every attempt has been graded.';
}

const TRIES = 20;
const PAUSE_MS = 250;

/** The ranking of a run that has ended: it may take a moment until every service knows of it. */
export async function awaitRanking(client: Client, runId: string): Promise<Ranking> {
  for (let tries = 1; ; tries++) {
    const ranking = await getRanking(client, runId);
    if (ranking.state !== 'pending' || tries === TRIES) return ranking;
    await sleep(PAUSE_MS);
  }
}
