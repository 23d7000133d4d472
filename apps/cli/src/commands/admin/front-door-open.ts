import { routes, type Workspace } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import type { Session } from '../../session.js';
import { dataFolder } from '../stack/data-folder.js';

/**
 * Lets an internal service onto the embedded stack's bus, for the workspace at hand. Its login goes to stdout as
 * variables, so that it can be piped to where it belongs; asking again shows the same.
 */
export async function run(
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
