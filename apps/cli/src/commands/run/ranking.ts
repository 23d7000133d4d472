import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Rescore, routes, runHandle } from '@agentclash/api';
import { warnOfUnfinished } from '../../comparison/compare-files.js';
import { certificateOf } from '../../lookup/packs.js';
import { getRanking } from '../../lookup/ranking.js';
import { isResultsFile } from '../../lookup/results-file.js';
import { runSource } from '../../lookup/run-source.js';
import { agentsOf, attemptsOf, divergedAttemptsOf, getRun } from '../../lookup/runs.js';
import { rankingContext, rankingResult, spendingsOf } from '../../scorecard/ranking-context.js';
import { rankingCsv, rankingTable } from '../../scorecard/ranking-table.js';
import type { Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';

/** Attempts are read for their times up to here; of more, the ranking's own figures have to do. */
const TIMED_MAX = 1_000;

export async function showRanking(session: Session, { run: given }: { run: string }): Promise<undefined> {
  const { out } = session;
  const { client, reference } = await runSource(session, given);
  const found = await getRun(client, reference);
  if (isResultsFile(given)) warnOfUnfinished(session, given, { run: found });
  const [ranking, audit, agents, diverged, attempts] = await Promise.all([
    getRanking(client, found.id),
    certificateOf(client, found),
    agentsOf(client, found.id),
    divergedAttemptsOf(client, found),
    found.progress.total > TIMED_MAX ? [] : attemptsOf(client, found.id),
  ]);
  const spendings = spendingsOf(agents, attempts);
  out.result(
    { ...rankingResult(ranking, found), spending: Object.fromEntries(spendings), audit },
    () =>
      rankingTable(ranking.items, {
        ...{ look: out, spendings, variants: ranking.variants },
        ...rankingContext(found, { agents, diverged, audit, look: out }),
      }),
    () => rankingCsv(ranking.items, spendings, out),
  );
}

interface Input {
  run: string;
  evaluationSpec?: string;
  wait: boolean;
}

const PAUSE_MS = 500;

export async function rescoreRun(
  session: Session,
  { run: reference, evaluationSpec, wait }: Input,
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const run = await getRun(client, reference);
  const { id: run_id } = run;
  const body = evaluationSpec === undefined ? {} : { evaluation_spec_id: evaluationSpec };
  const begun = await client.call(routes.runs.rescore, { params: { run_id }, body });
  if (!wait) {
    out.result(
      begun,
      () => `Run ${runHandle(run)} is being scored again: ${plural(begun.attempts, 'attempt')}`,
    );
    return;
  }
  await ended(client, begun, (progress) => out.note(`scored ${progress.scored} of ${progress.attempts}`));
  const [ranking, found, agents] = await Promise.all([
    getRanking(client, run_id),
    getRun(client, run_id),
    agentsOf(client, run_id),
  ]);
  const [diverged, audit] = await Promise.all([
    divergedAttemptsOf(client, found),
    certificateOf(client, found),
  ]);
  const spendings = spendingsOf(agents);
  out.result(
    { ...rankingResult(ranking, found), audit },
    () =>
      [
        `revision ${ranking.revision}`,
        rankingTable(ranking.items, {
          ...{ look: out, spendings, variants: ranking.variants },
          ...rankingContext(found, { agents, diverged, audit, look: out }),
        }),
      ].join('\n'),
    () => rankingCsv(ranking.items, spendings, out),
  );
}

/** Until the rescoring has ended; it continues without a waiting client. */
async function ended(client: Client, begun: Rescore, report: (rescore: Rescore) => void): Promise<void> {
  let scored = -1;
  for (;;) {
    const { rescore } = await client.call(routes.runs.ranking, { params: { run_id: begun.run_id } });
    if (rescore === undefined || rescore === null || rescore.id !== begun.id || rescore.state !== 'pending')
      return;
    if (rescore.scored !== scored) report(rescore);
    scored = rescore.scored;
    await sleep(PAUSE_MS);
  }
}
