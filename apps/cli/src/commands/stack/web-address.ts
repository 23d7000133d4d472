import path from 'node:path';
import type { Setting } from '../../session/settings.js';
import { dataFolder } from './data-folder.js';

/**
 * Where browsers reach the web app of a server. That of the embedded stack may have another address than commands use:
 * behind a proxy, or in a container.
 */
export async function webAddress({ value, origin }: Setting): Promise<string> {
  if (path.basename(origin) !== 'stack.yaml') return value;
  const { folder } = await dataFolder(undefined);
  return (await publicUrlOf(folder)) ?? value;
}

/** Of the stack that runs on this data; undefined where its operator has named none. */
export async function publicUrlOf(folder: string): Promise<string | undefined> {
  const { findRunningStack } = await import('@agentclash/local-stack');
  return (await findRunningStack(folder))?.publicUrl;
}
