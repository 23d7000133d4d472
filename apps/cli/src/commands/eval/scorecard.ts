import {
  type Attempt,
  type Client,
  type HistoryEvent,
  type Run,
  routes,
  type ScorecardReply,
} from '@agentclash/api';
import {
  type AgainstBaseline,
  againstBaseline,
  againstBaselineView,
  type BaselineChoice,
} from '../../comparison/against-baseline.js';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { getRanking, type Ranking, whyNoRanking } from '../../lookup/ranking.js';
import { attemptsOf, getRun } from '../../lookup/runs.js';
import { type ReportFiles, writeReports } from '../../reports/write-report.js';
import { attemptTable } from '../../scorecard/attempt-table.js';
import { cardView } from '../../scorecard/card-view.js';
import { isGraded } from '../../scorecard/grading.js';
import { rankingTable } from '../../scorecard/ranking-table.js';
import { runJunit, runMarkdown } from '../../scorecard/run-reports.js';
import type { Session } from '../../session.js';
import { oneLine } from '../../terminal/printable.js';

interface Input extends BaselineChoice, ReportFiles {
  run?: string;
  attempt?: string;
  all?: boolean;
}

interface ScoredAttempt {
  attempt: Attempt;
  reply: ScorecardReply;
  events: readonly HistoryEvent[];
}

/** Attempts are listed up to here; more are a matter of `run attempts`. */
const LISTED_MAX = 50;
/** Failed attempts are opened up to here unless all are asked for. */
const OPENED_MAX = 5;

/** From the ranking down to the events behind each verdict. */
export async function run(session: Session, input: Input): Promise<undefined> {
  const { run: reference, attempt, all } = input;
  const { out } = session;
  const client = await session.client();
  if (attempt !== undefined) return showAttempt(session, client, attempt);
  const found = await getRun(client, reference);
  const [ranking, attempts, against] = await Promise.all([
    getRanking(client, found.id),
    attemptsOf(client, found.id),
    againstBaseline(client, found, input),
  ]);
  const interesting = all
    ? attempts
    : attempts.filter(
        ({ is_scored: isScored, outcome, passed }) => isScored && isGraded(outcome) && passed !== true,
      );
  const opened = await openCards(client, all ? interesting : interesting.slice(0, OPENED_MAX));
  const title = `${found.name ?? found.id}  ${found.pack.slug} v${found.pack.version_number} / ${found.input_set.key}  ${found.status}`;
  out.result(
    {
      ...{
        run: found,
        ranking,
        attempts,
        gate: against?.gate ?? null,
        comparison: against?.comparison ?? null,
      },
      scorecards: opened.map(({ attempt, reply }) => ({ attempt, reply })),
    },
    () => sections(session, { title: oneLine(title), found, ranking, against, attempts, opened }),
  );
  await writeReports(session, input, {
    junit: () => runJunit(found, attempts),
    markdown: () => runMarkdown(found, ranking.items, against),
  });
  if (!all && interesting.length > opened.length) {
    out.note(
      `${interesting.length - opened.length} more did not pass: --all shows every attempt's evidence.`,
    );
  }
  out.note(out.paint.dim('One attempt: agentclash eval scorecard --attempt <id>, agentclash replay <id>'));
}

function sections(
  { out: { paint } }: Session,
  shown: {
    title: string;
    found: Run;
    ranking: Ranking;
    against: AgainstBaseline | undefined;
    attempts: readonly Attempt[];
    opened: readonly ScoredAttempt[];
  },
): string {
  const { title, found, ranking, against, attempts, opened } = shown;
  const more = attempts.length - LISTED_MAX;
  return [
    paint.bold(title),
    '',
    rankingTable(ranking.items, {
      paint,
      empty: whyNoRanking(found),
      isSelective: found.selective_retry,
    }),
    '',
    ...(against === undefined ? [] : [againstBaselineView(against, paint), '']),
    attemptTable(attempts.slice(0, LISTED_MAX), paint),
    ...(more > 0 ? [paint.dim(`and ${more} more: agentclash run attempts`)] : []),
    ...opened.flatMap((shownAttempt) => ['', cardView(shownAttempt, paint)]),
  ].join('\n');
}

async function showAttempt(session: Session, client: Client, id: string): Promise<undefined> {
  const params = { attempt_id: id };
  const [attempt, reply, events] = await Promise.all([
    client.call(routes.attempts.get, { params }),
    client.call(routes.attempts.scorecard, { params }),
    eventsOf(client, id),
  ]);
  session.out.result({ attempt, scorecard: reply }, () =>
    cardView({ attempt, reply, events }, session.out.paint),
  );
  session.out.note(session.out.paint.dim(`The events behind it: agentclash replay ${id}`));
}

function eventsOf(client: Client, id: string): Promise<HistoryEvent[]> {
  return allPages((cursor) =>
    client.call(routes.attempts.events, { params: { attempt_id: id }, query: { limit: PAGE_SIZE, cursor } }),
  );
}

async function openCards(client: Client, attempts: readonly Attempt[]): Promise<ScoredAttempt[]> {
  const opened: ScoredAttempt[] = [];
  for (const attempt of attempts) {
    const reply = await client.call(routes.attempts.scorecard, { params: { attempt_id: attempt.id } });
    opened.push({ attempt, reply, events: await eventsOf(client, attempt.id) });
  }
  return opened;
}
