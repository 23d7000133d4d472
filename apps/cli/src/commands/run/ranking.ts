import { getRanking } from '../../lookup/ranking.js';
import { agentsOf, attemptsOf, getRun } from '../../lookup/runs.js';
import { rankingContext, rankingResult } from '../../scorecard/ranking-context.js';
import { rankingTable } from '../../scorecard/ranking-table.js';
import { spendingsOf } from '../../scorecard/spending.js';
import type { Session } from '../../session.js';

/** Attempts are read for their times up to here; of more, the ranking's own figures have to do. */
const TIMED_MAX = 1_000;

export async function run(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const found = await getRun(client, reference);
  const [ranking, agents, attempts] = await Promise.all([
    getRanking(client, found.id),
    agentsOf(client, found.id),
    found.progress.total > TIMED_MAX ? [] : attemptsOf(client, found.id),
  ]);
  const spendings = spendingsOf(agents, attempts);
  out.result({ ...rankingResult(ranking, found), spending: Object.fromEntries(spendings) }, () =>
    rankingTable(ranking.items, { look: out, ...rankingContext(found), spendings }),
  );
}
