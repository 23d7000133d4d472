import type { Attempt, Client, Run } from '@agentclash/api';
import { isGraded } from '@agentclash/domain';
import {
  type AgainstBaseline,
  againstBaseline,
  againstBaselineView,
  type BaselineChoice,
} from '../../comparison/gate-view.js';
import { getRanking, type Ranking } from '../../lookup/ranking.js';
import { agentsOf, attemptsOf, getAttempt, getRun } from '../../lookup/runs.js';
import { type ReportFiles, writeReports } from '../../reports/markdown.js';
import { attemptTable } from '../../scorecard/attempt-table.js';
import { cardView } from '../../scorecard/card-view.js';
import { allCards, type OpenedCard, openCard } from '../../scorecard/opened-cards.js';
import {
  rankingContext,
  rankingResult,
  type Spendings,
  spendingsOf,
} from '../../scorecard/ranking-context.js';
import { rankingTable } from '../../scorecard/ranking-table.js';
import { runJunit, runMarkdown } from '../../scorecard/run-reports.js';
import type { Session } from '../../session.js';
import { oneLine } from '../../terminal/printable.js';

interface Input extends BaselineChoice, ReportFiles {
  run?: string;
  attempt?: string;
  all?: boolean;
}

/** On a terminal attempts are listed up to here; `run attempts` lists more. */
const LISTED_MAX = 50;
/** Failed attempts are opened up to here without --all. */
const OPENED_MAX = 5;

/** From the ranking down to the events behind each verdict. */
export async function showScorecard(session: Session, input: Input): Promise<undefined> {
  const { run: reference, attempt, all } = input;
  const { out } = session;
  const client = await session.client();
  if (attempt !== undefined) return showAttempt(session, client, attempt);
  const found = await getRun(client, reference);
  const [ranking, agents, cards, against] = await Promise.all([
    getRanking(client, found.id),
    agentsOf(client, found.id),
    all ? allCards(client, found.id) : undefined,
    againstBaseline(client, found, input),
  ]);
  const attempts = cards?.map((card) => card.attempt) ?? (await attemptsOf(client, found.id));
  const failed = attempts.filter(
    ({ is_scored: isScored, outcome, passed }) => isScored && isGraded(outcome) && passed !== true,
  );
  const opened =
    cards ?? (await Promise.all(failed.slice(0, OPENED_MAX).map((each) => openCard(client, each))));
  const spendings = spendingsOf(agents, attempts);
  const title = `${found.name ?? found.id}  ${found.pack.slug} v${found.pack.version_number} / ${found.input_set.key}  ${found.status}`;
  out.result(
    {
      ...{
        run: found,
        ranking: rankingResult(ranking, found),
        attempts,
        gate: against?.gate ?? null,
        comparison: against?.comparison ?? null,
        spending: Object.fromEntries(spendings),
      },
      scorecards: opened.map(({ attempt, reply }) => ({ attempt, reply })),
    },
    () => sections(session, { title: oneLine(title), found, ranking, spendings, against, attempts, opened }),
  );
  await writeReports(session, input, {
    junit: () => runJunit(found, attempts),
    markdown: () => runMarkdown(found, ranking.items, against),
  });
  if (!all && failed.length > opened.length) {
    out.note(`${failed.length - opened.length} more did not pass: --all shows every attempt's evidence.`);
  }
  out.note(out.paint.dim('One attempt: agentclash eval scorecard --attempt <id>, agentclash replay <id>'));
}

/** The ranking comes last: what stands at the end is still on the screen. */
function sections(
  { out }: Session,
  shown: {
    title: string;
    found: Run;
    ranking: Ranking;
    spendings: Spendings;
    against: AgainstBaseline | undefined;
    attempts: readonly Attempt[];
    opened: readonly OpenedCard[];
  },
): string {
  const { title, found, ranking, spendings, against, attempts, opened } = shown;
  const { paint } = out;
  const listed = out.width === undefined ? attempts : attempts.slice(0, LISTED_MAX);
  const more = attempts.length - listed.length;
  return [
    paint.bold(title),
    '',
    attemptTable(listed, out),
    ...(more > 0 ? [paint.dim(`and ${more} more: agentclash run attempts ${found.id}`)] : []),
    ...opened.flatMap((card) => ['', cardView(card, out)]),
    '',
    ...(against === undefined ? [] : [againstBaselineView(against, out), '']),
    rankingTable(ranking.items, { look: out, ...rankingContext(found), spendings }),
  ].join('\n');
}

async function showAttempt(session: Session, client: Client, id: string): Promise<undefined> {
  const { attempt, reply, events } = await openCard(client, await getAttempt(client, id));
  session.out.result({ attempt, scorecard: reply }, () => cardView({ attempt, reply, events }, session.out));
  session.out.note(session.out.paint.dim(`The events behind it: agentclash replay ${attempt.id}`));
}
