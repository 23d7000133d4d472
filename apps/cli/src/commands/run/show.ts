import { caseSubsetLine, packErrorLines, type Run } from '@agentclash/api';
import type { ExitCode } from '@agentclash/domain';
import { followRun } from '../../follow/follow-run.js';
import { getRun } from '../../lookup/runs.js';
import { gradedCount } from '../../scorecard/grading.js';
import type { Session } from '../../session.js';
import { duration, moment } from '../../terminal/figures.js';
import { facts } from '../../terminal/table.js';

interface Input {
  run: string;
  follow?: boolean;
}

export async function run(
  session: Session,
  { run: reference, follow }: Input,
): Promise<ExitCode | undefined> {
  const { out } = session;
  const client = await session.client();
  const found = await getRun(client, reference);
  if (follow) return followRun(session, client, found);
  out.result(found, () => facts(entriesOf(found), out.paint.dim));
  return undefined;
}

function entriesOf(run: Run): [string, string | undefined][] {
  const { progress, pack, input_set: set, labels, started_at: started, finished_at: finished } = run;
  const outcomes = Object.entries(progress.by_outcome).map(([outcome, number]) => `${number} ${outcome}`);
  return [
    ['run', run.id],
    ['name', run.name ?? undefined],
    ['status', run.status],
    ['pack', `${pack.slug} v${pack.version_number}`],
    ['version', run.challenge_pack_version_id],
    ['evaluation spec', run.evaluation_spec_id],
    ['input set', set.key],
    ['cases', caseSubsetLine(run)],
    ['repetitions', String(run.repetitions)],
    ['labels', Object.keys(labels).length === 0 ? undefined : labelText(labels)],
    [
      'attempts',
      `${progress.finished} finished, ${progress.running} running, ${progress.queued} queued of ${progress.total}`,
    ],
    ['graded', `${gradedCount(progress)} of ${progress.total}, ${progress.passed} passed`],
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

function labelText(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}
