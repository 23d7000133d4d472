import type { RuntimeProfile } from '@agentclash/api';
import { listProfiles } from '../../lookup/deployments.js';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

export async function run(session: Session): Promise<undefined> {
  const { out } = session;
  const items = await listProfiles(await session.client());
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'PROFILE', value: ({ name }) => name, style: out.paint.bold },
        { title: 'SETS', value: settingsOf, charactersMax: 60 },
        { title: 'UPDATED', value: ({ updated_at: at }) => moment(at) },
        { title: 'ID', value: ({ id }) => id },
      ],
      { heading: out.paint.dim, empty: 'No runtime profiles: every deployment has the default limits.' },
    ),
  );
}

function settingsOf({
  id: _id,
  name: _name,
  created_at: _created,
  updated_at: _updated,
  ...set
}: RuntimeProfile): string {
  return Object.entries(set)
    .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ');
}
