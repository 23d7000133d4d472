import type { Session } from '../../session.js';
import { table } from '../../terminal/table.js';
import { dataFolder } from '../stack/data-folder.js';

/** Lists the internal services that may use the embedded stack's bus; never their passwords. */
export async function run(session: Session, { data }: { data?: string }): Promise<undefined> {
  const { out } = session;
  const { listBusApiUsers } = await import('@agentclash/local-stack');
  const bindings = await listBusApiUsers((await dataFolder(data)).folder);
  out.result({ items: bindings.map(({ user, workspaceId }) => ({ user, workspace_id: workspaceId })) }, () =>
    table(
      bindings,
      [
        { title: 'USER', value: ({ user }) => user, style: out.paint.bold },
        { title: 'WORKSPACE', value: ({ workspaceId }) => workspaceId },
      ],
      { heading: out.paint.dim },
    ),
  );
}
