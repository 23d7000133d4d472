import type { Deployment } from '@agentclash/api';
import { listDeployments } from '../../lookup/deployments.js';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

export async function run(
  session: Session,
  { status }: { status: Deployment['status'] },
): Promise<undefined> {
  const { out } = session;
  const items = await listDeployments(await session.client(), status);
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'DEPLOYMENT', value: ({ name }) => name, style: out.paint.bold },
        { title: 'KIND', value: ({ kind }) => kind },
        { title: 'REVISION', value: ({ revision }) => String(revision), align: 'right' },
        { title: 'UPDATED', value: ({ updated_at: at }) => moment(at) },
        { title: 'ID', value: ({ id }) => id },
      ],
      { heading: out.paint.dim, empty: `No ${status} deployments. agentclash deployment create -f <file>` },
    ),
  );
}
