import type { Session } from '../../session.js';
import { dataFolder, upCommand } from './data-folder.js';

export async function run(session: Session, { data }: { data?: string }): Promise<undefined> {
  const { findRunningStack, stopLocalStack } = await import('@agentclash/local-stack');
  const { folder } = await dataFolder(data);
  const { out } = session;
  if ((await findRunningStack(folder)) === undefined) {
    out.result({ data: folder, stopped: false }, () => `Not running (data: ${folder})`);
    return;
  }
  out.note('Stopping');
  const { pid } = await stopLocalStack(folder);
  out.result({ data: folder, stopped: true, pid }, () => `Stopped. The data stays in ${folder}`);
  out.note(out.paint.dim(`Start it again: ${await upCommand(folder)}`));
}
