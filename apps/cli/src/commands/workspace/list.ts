import { routes } from '@agentclash/api';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

export async function run(session: Session): Promise<undefined> {
  const { out } = session;
  const { items } = await (await session.client()).call(routes.workspaces.list);
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'WORKSPACE', value: ({ slug }) => slug, style: out.paint.bold },
        { title: 'NAME', value: ({ name }) => name },
        { title: 'CREATED', value: ({ created_at: at }) => moment(at) },
        { title: 'ID', value: ({ id }) => id },
      ],
      { heading: out.paint.dim },
    ),
  );
}
