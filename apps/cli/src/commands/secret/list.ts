import { routes } from '@agentclash/api';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

export async function run(session: Session): Promise<undefined> {
  const { out } = session;
  const { items } = await (await session.client()).call(routes.secrets.list);
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'KEY', value: ({ key }) => key, style: out.paint.bold },
        { title: 'HOSTS', value: ({ hosts }) => (hosts.length > 0 ? hosts.join(', ') : 'any') },
        { title: 'VERSION', value: ({ version }) => String(version), align: 'right' },
        { title: 'UPDATED', value: ({ updated_at: at }) => moment(at) },
        { title: 'BY', value: ({ updated_by: by }) => by },
        { title: 'LAST USED', value: ({ last_used_at: at }) => moment(at) },
      ],
      { heading: out.paint.dim, empty: 'No secrets. agentclash secret set <KEY>' },
    ),
  );
}
