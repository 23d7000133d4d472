import {
  budgetInWords,
  type Client,
  caseSubsetLine,
  draftLine,
  laneSpending,
  packErrorLines,
  pricesInWords,
  type Run,
  type RunAgent,
  type Savings,
  savingsInWords,
  savingsOf,
  servedRepliesLine,
  stopWhenInWords,
} from '@agentclash/api';
import type { ExitCode } from '@agentclash/domain';
import { followRun } from '../../follow/follow-run.js';
import { getRanking } from '../../lookup/ranking.js';
import { agentsOf, getRun } from '../../lookup/runs.js';
import { gradedCount } from '../../scorecard/grading.js';
import { raceLines } from '../../scorecard/race-view.js';
import { variantLines } from '../../scorecard/variant-lines.js';
import type { Session } from '../../session/session.js';
import { duration, moment, score } from '../../terminal/figures.js';
import { printTable } from '../../terminal/print-table.js';
import { oneLine } from '../../terminal/printable.js';
import { type Column, facts, idColumn } from '../../terminal/table.js';

interface Input {
  run: string;
  follow?: boolean;
}

export async function showRun(
  session: Session,
  { run: reference, follow }: Input,
): Promise<ExitCode | undefined> {
  const { out } = session;
  const client = await session.client();
  const found = await getRun(client, reference);
  if (follow) return followRun(session, client, found);
  const agents = await lanesOf(client, found);
  const variants = hasVariants(found, agents) ? (await getRanking(client, found.id)).variants : undefined;
  const savings = found.stop_when && savingsOf(agents.map(laneSpending));
  out.result(
    { ...found, ...(variants && { variants }), ...(savings && { savings: asJson(savings) }) },
    () => {
      const race = raceLines(found, agents, out);
      return [
        ...variantLines(variants ?? [], out),
        facts([...entriesOf(found), ...savedEntry(savings)], out.paint.dim, out.width),
        ...(race.length === 0 ? [] : ['', ...race]),
      ].join('\n');
    },
  );
  return undefined;
}

/** The lanes of a run that ends early or may have variants; of others nothing is read. */
async function lanesOf(client: Client, { id, finished_at: finished, stop_when }: Run): Promise<RunAgent[]> {
  return finished === null && stop_when === undefined ? [] : await agentsOf(client, id);
}

/** True when the run has a ranking in which variants are compared. */
function hasVariants({ finished_at: finished }: Run, agents: readonly RunAgent[]): boolean {
  return finished !== null && agents.some(({ variant }) => variant !== undefined);
}

function asJson({ attempts, spentUsd, spentAtLeastUsd, savedUsd, isSavedApproximate }: Savings) {
  return {
    attempts,
    spent_usd: spentUsd,
    ...(spentUsd === null && spentAtLeastUsd > 0 && { spent_at_least_usd: spentAtLeastUsd }),
    saved_usd: savedUsd,
    ...(savedUsd !== null && isSavedApproximate && { is_saved_approximate: true }),
  };
}

function savedEntry(savings: Savings | undefined): [string, string | undefined][] {
  return savings === undefined ? [] : [['saved', savingsInWords(savings)]];
}

function entriesOf(run: Run): [string, string | undefined][] {
  const { progress, pack, input_set: set, labels, started_at: started, finished_at: finished } = run;
  const { skipped = 0 } = progress;
  const outcomes = Object.entries(progress.by_outcome).map(([outcome, number]) => `${number} ${outcome}`);
  return [
    ['run', run.number === undefined ? run.id : `#${run.number}  ${run.id}`],
    ['name', run.name ?? undefined],
    ['note', run.note],
    ['status', run.status],
    ['pack', `${pack.slug} v${pack.version_number}`],
    ['draft', draftLine(run)],
    ['version', run.challenge_pack_version_id],
    ['evaluation spec', run.evaluation_spec_id],
    ['input set', set.key],
    ['cases', caseSubsetLine(run)],
    ['repetitions', String(run.repetitions)],
    ['model calls', modelCallsLine(run)],
    ['ends', run.stop_when && stopWhenInWords(run.stop_when)],
    ['budget', run.budget && budgetInWords(run.budget)],
    ['seed', run.seed === undefined ? undefined : String(run.seed)],
    ['labels', Object.keys(labels).length === 0 ? undefined : labelText(labels)],
    [
      'attempts',
      `${progress.finished} finished, ${progress.running} running, ${progress.queued} queued${skipped === 0 ? '' : `, ${skipped} skipped`} of ${progress.total}`,
    ],
    ['graded', `${gradedCount(progress)} of ${progress.total - skipped}, ${progress.passed} passed`],
    ['stopped', run.stopped && STOPPED[run.stopped]],
    ['imported', run.imported && `from ${run.imported.format}: ${servedRepliesLine(run)}`],
    [
      'selective retry',
      run.selective_retry ? 'yes, attempts were run again because of their result' : undefined,
    ],
    ['outcomes', outcomes.length === 0 ? undefined : outcomes.join(', ')],
    ['created', `${moment(run.created_at)} by ${run.created_by}`],
    ['started', started === null ? undefined : moment(started)],
    ['finished', finished === null ? undefined : moment(finished)],
    [
      'took',
      started === null || finished === null
        ? undefined
        : duration(Date.parse(finished) - Date.parse(started)),
    ],
    ['failure', run.failure && `${run.failure.code}: ${run.failure.message}`],
    ...packErrorLines(run).map((line): [string, string] => ['pack error', line]),
    ...run.warnings.map(({ code, message }): [string, string] => ['warning', `${code}: ${message}`]),
  ];
}

const STOPPED: { [S in NonNullable<Run['stopped']>]: string } = {
  decided: 'decided: its verdicts were certain',
  budget: 'budget: it was used up',
};

function modelCallsLine(run: Run): string | undefined {
  if (run.model_calls === 'record') return 'record: its attempts can be replayed';
  const served = run.imported === undefined ? servedRepliesLine(run) : undefined;
  return served && `${run.model_calls}: ${served}`;
}

function labelText(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}

const SKIPPED: Column<RunAgent> = {
  title: 'SKIPPED',
  value: ({ progress }) => String(progress.skipped ?? 0),
  align: 'right',
  leaveOut: 2,
};

export async function listAgents(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const items = await agentsOf(client, id);
  const prices = pricesInWords(items).map((line) => `price of ${oneLine(line)}`);
  printTable(out, items, {
    columns: [
      { title: 'AGENT', value: ({ name }) => name, style: out.paint.bold, cutTo: 16 },
      { title: 'KIND', value: ({ kind }) => kind },
      {
        title: 'REVISION',
        value: ({ deployment_revision: revision }) => String(revision),
        align: 'right',
        leaveOut: 1,
      },
      {
        title: 'GRADED',
        value: ({ progress }) => `${gradedCount(progress)}/${progress.total - (progress.skipped ?? 0)}`,
        align: 'right',
      },
      ...(items.some(({ progress }) => progress.skipped) ? [SKIPPED] : []),
      { title: 'RUNNING', value: ({ progress }) => String(progress.running), align: 'right', leaveOut: 2 },
      { title: 'PASSED', value: ({ progress }) => String(progress.passed), align: 'right' },
      { title: 'SCORE SO FAR', value: ({ overall_so_far: overall }) => score(overall), align: 'right' },
      idColumn('ID', ({ id: agentId }) => agentId),
    ],
    text: (table) => (prices.length === 0 ? table() : [table(), '', ...prices].join('\n')),
  });
}
