import { type ResponseOutput, routes } from '@agentclash/api';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

type Entry = ResponseOutput<typeof routes.secrets.audit>['items'][number];

export async function run(
  session: Session,
  { key, limit }: { key?: string; limit: number },
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const items = await allPages(
    (cursor) =>
      client.call(routes.secrets.audit, { query: { key, limit: Math.min(limit, PAGE_SIZE), cursor } }),
    limit,
  );
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'WHEN', value: ({ at }) => moment(at) },
        { title: 'KEY', value: (entry) => entry.key, style: out.paint.bold },
        { title: 'ACTION', value: ({ action }) => action },
        { title: 'VERSION', value: ({ version }) => String(version ?? '-'), align: 'right' },
        { title: 'BY', value: ({ actor }) => actor },
        { title: 'FOR', value: forWhat },
      ],
      { heading: out.paint.dim, empty: 'Nothing is on record.' },
    ),
  );
}

function forWhat({ attempt_id, delivery }: Entry): string {
  return attempt_id === null ? '' : `attempt ${attempt_id}, delivery ${delivery}`;
}
