import { CommandError } from '../../command-error.js';
import type { Session } from '../../session.js';
import { dataFolder } from '../stack/data-folder.js';

/** Shuts an internal service out of the embedded stack's bus, at once. */
export async function run(
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
