import { type Run, type RunStatus, routes } from '@agentclash/api';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { gradedCount } from '../../scorecard/grading.js';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';
import { statusColor } from './status-color.js';

interface Input {
  status?: RunStatus;
  pack?: string;
  deployment?: string;
  label?: string;
  search?: string;
  limit: number;
}

export async function run(session: Session, { limit, search, ...filter }: Input): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const items = await allPages(
    (cursor) =>
      client.call(routes.runs.list, {
        query: { ...filter, q: search, limit: Math.min(limit, PAGE_SIZE), cursor },
      }),
    limit,
  );
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'ID', value: ({ id }) => id },
        {
          title: 'STATUS',
          value: ({ status }) => status,
          style: (text, { status }) => statusColor(status, out.paint)(text),
        },
        { title: 'PACK', value: packText },
        {
          title: 'GRADED',
          value: ({ progress }) => `${gradedCount(progress)}/${progress.total}`,
          align: 'right',
        },
        { title: 'PASSED', value: ({ progress }) => String(progress.passed), align: 'right' },
        { title: 'CREATED', value: ({ created_at: at }) => moment(at) },
        { title: 'NAME', value: ({ name }) => name ?? '', cutTo: 40 },
      ],
      { width: out.width, heading: out.paint.dim, empty: 'No runs. agentclash eval start' },
    ),
  );
}

function packText({ pack, input_set: set }: Run): string {
  return `${pack.slug} v${pack.version_number} / ${set.key}`;
}
