import { leadersOf, type Run, routes, runHandle } from '@agentclash/api';
import type { ModelCallMode, RunStatus } from '@agentclash/domain';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { gradedCount } from '../../scorecard/grading.js';
import type { Session } from '../../session/session.js';
import { duration } from '../../terminal/figures.js';
import type { Paint } from '../../terminal/output.js';
import { printTable } from '../../terminal/print-table.js';
import { idColumn, timeColumn } from '../../terminal/table.js';

interface Input {
  status?: RunStatus;
  pack?: string;
  deployment?: string;
  label?: string;
  modelCalls?: ModelCallMode;
  search?: string;
  limit: number;
}

export async function listRuns(
  session: Session,
  { limit, search, modelCalls, ...filter }: Input,
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const items = await allPages(
    (cursor) =>
      client.call(routes.runs.list, {
        query: { ...filter, model_calls: modelCalls, q: search, limit: Math.min(limit, PAGE_SIZE), cursor },
      }),
    limit,
  );
  printTable(out, items, {
    columns: [
      { title: 'RUN', value: runHandle, cutTo: 9 },
      {
        title: 'STATUS',
        value: statusText,
        style: (text, { status, pack_errors: errors = [] }) =>
          (errors.length > 0 ? out.paint.yellow : statusColor(status, out.paint))(text),
      },
      { title: 'PACK', value: packText, cutTo: 16 },
      { title: 'AGENTS', value: agentsText, cutTo: 12 },
      { title: 'WINNER', value: winnerText, cutTo: 8 },
      {
        title: 'GRADED',
        value: ({ progress }) => `${gradedCount(progress)}/${progress.total - (progress.skipped ?? 0)}`,
        align: 'right',
      },
      { title: 'PASSED', value: ({ progress }) => String(progress.passed), align: 'right', leaveOut: 2 },
      {
        title: 'TOOK',
        value: (run) => duration(tookMs(run)),
        key: 'took_ms',
        data: tookMs,
        align: 'right',
        leaveOut: 1,
      },
      timeColumn('CREATED', ({ created_at: at }) => at, { leaveOut: 4 }),
      { title: 'NAME', value: ({ name }) => name ?? '', cutTo: 12, leaveOut: 3 },
      { ...idColumn<Run>('ID', ({ id }) => id), leaveOut: 0 },
    ],
    empty: 'No runs. agentclash run start',
  });
}

function statusText({ status, stopped, imported, pack_errors: errors = [] }: Run): string {
  return [status, stopped, imported && 'imported', errors.length > 0 && 'pack errors']
    .filter(Boolean)
    .join(', ');
}

function packText({ pack, input_set: set }: Run): string {
  return `${pack.slug} v${pack.version_number} / ${set.key}`;
}

function agentsText({ agents }: Run): string {
  return agents === undefined ? '-' : agents.map(({ name }) => name).join(', ');
}

/** Of a ranked run; with several at its top, nothing separates them. */
function winnerText(run: Run): string {
  const first = leadersOf(run);
  if ((run.agents ?? []).length < 2 || first.length === 0) return '-';
  return first.length === 1 ? (first[0]?.name ?? '-') : `tie of ${first.length}`;
}

function tookMs({ started_at: started, finished_at: finished }: Run): number | null {
  return started === null || finished === null ? null : Date.parse(finished) - Date.parse(started);
}

export function statusColor(status: RunStatus, paint: Paint): (text: string) => string {
  if (status === 'completed') return paint.green;
  if (status === 'failed' || status === 'cancelled') return paint.red;
  return paint.yellow;
}
