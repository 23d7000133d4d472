import type { Pack, PackVersion } from '@agentclash/api';
import { listPacks } from '../../lookup/packs.js';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

interface Input {
  family?: string;
  lifecycleStatus?: PackVersion['lifecycle_status'];
  search?: string;
}

export async function run(session: Session, { family, lifecycleStatus, search }: Input): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const items = await listPacks(client, { family, lifecycle_status: lifecycleStatus, q: search });
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'PACK', value: ({ slug }) => slug, style: out.paint.bold },
        { title: 'NAME', value: ({ name }) => name, cutTo: 40 },
        { title: 'FAMILY', value: ({ family: of }) => of },
        { title: 'VERSIONS', value: versionList },
        { title: 'CREATED', value: ({ created_at }) => moment(created_at) },
      ],
      {
        width: out.width,
        heading: out.paint.dim,
        empty: lifecycleStatus === undefined ? NONE_RUNNABLE : NONE,
      },
    ),
  );
}

const NONE = 'No such challenge packs.';
const NONE_RUNNABLE = `No runnable challenge packs. agentclash challenge-pack publish <file>
Retired ones: --lifecycle-status deprecated or archived`;

function versionList({ versions }: Pack): string {
  return versions
    .map(({ version_number: number, lifecycle_status: status }) =>
      status === 'runnable' ? String(number) : `${number} (${status})`,
    )
    .join(', ');
}
