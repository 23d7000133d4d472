import { routes, type Workspace } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import type { Session } from '../../session/session.js';
import { printTable } from '../../terminal/print-table.js';
import { dataFolder } from '../stack/data-folder.js';

/**
 * Lets an internal service onto the embedded stack's bus, for the workspace at hand. Its login goes to stdout as
 * variables, so that it can be piped to where it belongs; a repeated request shows the same.
 */
export async function openBusAccess(
  session: Session,
  { user, data }: { user: string; data?: string },
): Promise<undefined> {
  const { out } = session;
  const { findRunningStack, addBusApiUser } = await import('@agentclash/local-stack');
  const { folder } = await dataFolder(data);
  const { id, slug } = await workspaceAtHand(session);
  const { password, isNew } = await addBusApiUser(folder, { user, workspaceId: id });
  const stack = await findRunningStack(folder);
  const url = `nats://127.0.0.1:${stack?.natsPort ?? ''}`;
  out.result({ url, user, password, workspace_id: id }, () =>
    [
      `NATS_URL=${url}`,
      `NATS_USER=${user}`,
      `NATS_PASSWORD=${password}`,
      `AGENTCLASH_WORKSPACE_ID=${id}`,
    ].join('\n'),
  );
  out.note(
    isNew
      ? `${user} may use the bus for the workspace "${slug}" from the next start on: agentclash down, agentclash up, and this again for the address.`
      : `${user} may use the bus for the workspace "${slug}".`,
  );
}

async function workspaceAtHand(session: Session): Promise<Workspace> {
  const { workspace } = await session.settings();
  const { items } = await (await session.tokensClient()).call(routes.workspaces.list);
  const [only, ...others] = items;
  const found = items.find(({ id, slug }) => id === workspace?.value || slug === workspace?.value);
  if (found) return found;
  if (workspace === undefined && only && others.length === 0) return only;
  throw new CommandError('not_found', `There is no workspace "${workspace?.value ?? ''}"`, {
    hint: `Name one with -w: ${items.map(({ slug }) => slug).join(', ')}.`,
  });
}

/** Shuts an internal service out of the embedded stack's bus, at once. */
export async function closeBusAccess(
  session: Session,
  { user, data }: { user: string; data?: string },
): Promise<undefined> {
  const { removeBusApiUser } = await import('@agentclash/local-stack');
  if (!(await removeBusApiUser((await dataFolder(data)).folder, user))) {
    throw new CommandError('not_found', `No internal service is named "${user}"`, {
      hint: 'agentclash admin front-door list',
    });
  }
  session.out.result({ user, closed: true }, () => `${user} is shut out.`);
}

/** Lists the internal services that may use the embedded stack's bus; never their passwords. */
export async function listBusAccess(session: Session, { data }: { data?: string }): Promise<undefined> {
  const { out } = session;
  const { listBusApiUsers } = await import('@agentclash/local-stack');
  const bindings = await listBusApiUsers((await dataFolder(data)).folder);
  const items = bindings.map(({ user, workspaceId }) => ({ user, workspace_id: workspaceId }));
  printTable(out, items, {
    columns: [
      { title: 'USER', value: ({ user }) => user, style: out.paint.bold },
      { title: 'WORKSPACE', value: ({ workspace_id: workspace }) => workspace },
    ],
  });
}
