import { getRanking, whyNoRanking } from '../../lookup/ranking.js';
import { getRun } from '../../lookup/runs.js';
import { rankingTable } from '../../scorecard/ranking-table.js';
import type { Session } from '../../session.js';

export async function run(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const found = await getRun(client, reference);
  const ranking = await getRanking(client, found.id);
  out.result(ranking, () =>
    rankingTable(ranking.items, {
      paint: out.paint,
      empty: whyNoRanking(found),
      isSelective: found.selective_retry,
    }),
  );
}
