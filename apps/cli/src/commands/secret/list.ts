import { routes, type SecretMetadata } from '@agentclash/api';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

export async function run(session: Session): Promise<undefined> {
  const { out } = session;
  const { items } = await (await session.client()).call(routes.secrets.list);
  for (const secret of items) {
    const warning = bindingWarning(secret);
    if (warning !== undefined) out.warn(warning);
  }
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'KEY', value: ({ key }) => key, style: out.paint.bold },
        { title: 'GOES TO', value: goesTo },
        { title: 'VERSION', value: ({ version }) => String(version), align: 'right' },
        { title: 'UPDATED', value: ({ updated_at: at }) => moment(at) },
        { title: 'BY', value: ({ updated_by: by }) => by },
        { title: 'LAST USED', value: ({ last_used_at: at }) => moment(at) },
      ],
      { heading: out.paint.dim, empty: 'No secrets. agentclash secret set <KEY> --host <origin>' },
    ),
  );
}

function goesTo({ hosts, binding }: SecretMetadata): string {
  if (hosts.length > 0)
    return binding === 'host' ? `${hosts.join(', ')} (any scheme and port)` : hosts.join(', ');
  return binding === 'any' ? 'any' : 'any (unbound)';
}

function bindingWarning({ key, hosts, binding }: SecretMetadata): string | undefined {
  if (binding === 'any' || binding === 'origin') return undefined;
  if (hosts.length > 0) {
    return `${key} is bound to hosts of any scheme and port. Set it again with --host: then a host is https on port 443.`;
  }
  return `${key} is unbound: any pack or deployment may send it anywhere. Set it again with --host, or with --any.`;
}
