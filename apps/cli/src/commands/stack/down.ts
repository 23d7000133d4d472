import type { Session } from '../../session.js';
import { dataFolder } from './data-folder.js';

export async function run(session: Session, { data }: { data?: string }): Promise<undefined> {
  const { findRunningStack, stopLocalStack } = await import('@agentclash/local-stack');
  const folder = await dataFolder(data);
  if ((await findRunningStack(folder)) === undefined) {
    session.out.result({ data: folder, stopped: false }, () => `Nothing runs on ${folder}`);
    return;
  }
  session.out.note('Stopping');
  const { pid } = await stopLocalStack(folder);
  session.out.result({ data: folder, stopped: true, pid }, () => 'Stopped. The data stays.');
}
