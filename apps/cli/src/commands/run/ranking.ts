import { caseSubsetLine, packErrorLines } from '@agentclash/api';
import { getRanking, whyNoRanking } from '../../lookup/ranking.js';
import { agentsOf, attemptsOf, getRun } from '../../lookup/runs.js';
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
  out.result({ ...ranking, spending: Object.fromEntries(spendings) }, () =>
    rankingTable(ranking.items, {
      look: out,
      empty: whyNoRanking(found),
      isSelective: found.selective_retry,
      subset: caseSubsetLine(found),
      packErrors: packErrorLines(found),
      spendings,
    }),
  );
}
