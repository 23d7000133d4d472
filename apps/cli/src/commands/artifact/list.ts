import { routes } from '@agentclash/api';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import type { Session } from '../../session.js';
import { bytes, moment } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

interface Input {
  search?: string;
  sha256?: string;
}

export async function run(session: Session, { search, sha256 }: Input): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const items = await allPages((cursor) =>
    client.call(routes.artifacts.list, { query: { limit: PAGE_SIZE, cursor, q: search, sha256 } }),
  );
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'ID', value: ({ id }) => id },
        { title: 'NAME', value: ({ name }) => name, cutTo: 50, style: out.paint.bold },
        { title: 'SIZE', value: ({ bytes: size }) => bytes(size), align: 'right' },
        { title: 'SHA-256', value: ({ sha256 }) => sha256.slice(0, 12) },
        { title: 'CREATED', value: ({ created_at: at }) => moment(at) },
      ],
      { width: out.width, heading: out.paint.dim, empty: 'No stored files.' },
    ),
  );
}
