import {
  type Attempt,
  type AuditCertificate,
  type Client,
  type HistoryEvent,
  type Run,
  type RunAgent,
  routes,
  runArgument,
  runTitle,
  type ScorecardReply,
} from '@agentclash/api';
import { isGraded } from '@agentclash/domain';
import { warnOfUnfinished } from '../../comparison/compare-files.js';
import {
  type AgainstBaseline,
  againstBaseline,
  againstBaselineView,
  type BaselineChoice,
} from '../../comparison/gate-view.js';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { certificateOf } from '../../lookup/packs.js';
import { getRanking, type Ranking } from '../../lookup/ranking.js';
import { isResultsFile } from '../../lookup/results-file.js';
import { runSource } from '../../lookup/run-source.js';
import { agentsOf, attemptsOf, getAttemptOrLast, getRun, isDiverged } from '../../lookup/runs.js';
import { checkReportFiles, type ReportFiles, writeReports } from '../../reports/markdown.js';
import { AttemptCard, isSelfContained } from '../../scorecard/attempt-card.js';
import { attemptTable } from '../../scorecard/attempt-table.js';
import { cardView, validatorCsv } from '../../scorecard/card-view.js';
import {
  rankingContext,
  rankingResult,
  type Spendings,
  spendingsOf,
} from '../../scorecard/ranking-context.js';
import { rankingCsv, rankingTable } from '../../scorecard/ranking-table.js';
import { runJunit, runMarkdown } from '../../scorecard/run-reports.js';
import { variantLines } from '../../scorecard/variant-lines.js';
import { type Session } from '../../session/session.js';
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
  const { run: given, attempt, all } = input;
  const { out } = session;
  await checkReportFiles(input);
  const { client, reference } = await runSource(session, given);
  if (attempt !== undefined) return showAttempt(session, client, attempt);
  const found = await getRun(client, reference);
  if (isResultsFile(given)) warnOfUnfinished(session, given, { run: found });
  const [ranking, agents, audit, cards, against] = await Promise.all([
    getRanking(client, found.id),
    agentsOf(client, found.id),
    certificateOf(client, found),
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
  const title = `${runTitle(found)}  ${found.pack.slug} v${found.pack.version_number} / ${found.input_set.key}  ${found.status}`;
  out.result(
    {
      ...{
        run: found,
        ranking: rankingResult(ranking, found),
        attempts,
        gate: against?.gate ?? null,
        comparison: against?.comparison ?? null,
        spending: Object.fromEntries(spendings),
        audit,
      },
      scorecards: opened.map(({ attempt, reply }) => ({ attempt, reply })),
    },
    () =>
      sections(session, {
        ...{ title: oneLine(title), found, agents, ranking, spendings, against },
        audit,
        attempts,
        opened,
      }),
    () => rankingCsv(ranking.items, spendings, out),
  );
  await writeReports(session, input, {
    junit: () => runJunit(found, attempts, { agents, audit }),
    markdown: () => runMarkdown(found, ranking, { agents, against, audit }),
  });
  if (!all && failed.length > opened.length) {
    out.note(`${failed.length - opened.length} more did not pass: --all shows every attempt's evidence.`);
  }
  const [card, replay] = isResultsFile(given)
    ? [`scorecard ${given} --attempt <id>`, `replay <id> --run ${given}`]
    : ['scorecard --attempt <id>', 'replay <id>'];
  out.note(out.paint.dim(oneLine(`One attempt: agentclash eval ${card}, agentclash ${replay}`)));
}

/** The ranking comes last: the end is still on the screen. */
function sections(
  { out }: Session,
  shown: {
    title: string;
    found: Run;
    agents: readonly RunAgent[];
    ranking: Ranking;
    spendings: Spendings;
    audit: AuditCertificate | null;
    against: AgainstBaseline | undefined;
    attempts: readonly Attempt[];
    opened: readonly OpenedCard[];
  },
): string {
  const { title, found, agents, ranking, spendings, audit, against, attempts, opened } = shown;
  const { paint } = out;
  const listed = out.width === undefined ? attempts : attempts.slice(0, LISTED_MAX);
  const more = attempts.length - listed.length;
  return [
    paint.bold(title),
    ...variantLines(ranking.variants ?? [], out),
    '',
    attemptTable(listed, out),
    ...(more > 0 ? [paint.dim(`and ${more} more: agentclash run attempts ${runArgument(found)}`)] : []),
    ...opened.flatMap((card) => ['', cardView(card, out)]),
    '',
    ...(against === undefined ? [] : [againstBaselineView(against, out), '']),
    rankingTable(ranking.items, {
      ...{ look: out, spendings },
      ...rankingContext(found, { agents, diverged: attempts.filter(isDiverged), audit, look: out }),
    }),
  ].join('\n');
}

async function showAttempt(session: Session, client: Client, id: string): Promise<undefined> {
  const { attempt, reply, events } = await openCard(client, await getAttemptOrLast(client, id));
  session.out.result(
    { attempt, scorecard: reply },
    () => cardView({ attempt, reply, events }, session.out),
    () => validatorCsv(reply, session.out),
  );
  session.out.note(session.out.paint.dim(`The events behind it: agentclash replay ${attempt.id}`));
}

/** An attempt with its scorecard, and the events behind it where the scorecard alone does not show what was compared. */
interface OpenedCard {
  attempt: Attempt;
  reply: ScorecardReply;
  events: readonly HistoryEvent[];
}

/** A page has a hundred: 5,276 attempts are 53 requests. */
const CARDS_PER_PAGE = 100;

/** The scorecards of all attempts of a run, a page of them at a time. */
async function allCards(client: Client, runId: string): Promise<OpenedCard[]> {
  const params = { run_id: runId };
  const items = await allPages((cursor) =>
    client.call(routes.runs.scorecards, { params, query: { limit: CARDS_PER_PAGE, cursor } }),
  );
  return items.map(({ attempt, scorecard }) => ({ attempt, reply: scorecard, events: [] }));
}

async function openCard(client: Client, attempt: Attempt): Promise<OpenedCard> {
  const params = { attempt_id: attempt.id };
  const reply = await client.call(routes.attempts.scorecard, { params });
  const card = AttemptCard.safeParse(reply.scorecard);
  const needsEvents = card.success && !isSelfContained(card.data);
  return { attempt, reply, events: needsEvents ? await eventsOf(client, attempt.id) : [] };
}

function eventsOf(client: Client, id: string): Promise<HistoryEvent[]> {
  return allPages((cursor) =>
    client.call(routes.attempts.events, { params: { attempt_id: id }, query: { limit: PAGE_SIZE, cursor } }),
  );
}
