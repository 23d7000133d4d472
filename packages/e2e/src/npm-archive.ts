import path from 'node:path';
import { repository, runNode, type StackFolder } from './product.js';

const PACK_MS_MAX = 600_000;

/** Makes the archive of the npm package `agentclash` in a folder; its path. Throws where the workspace is not built. */
export async function packCommand(folder: StackFolder): Promise<string> {
  const words = [path.join(repository, 'infra/npm/pack.mjs'), path.join(folder.path, 'packed')];
  const { code, stdout, stderr } = await runNode(words, { folder, timeoutMs: PACK_MS_MAX });
  const archive = stdout.trim().split('\n').at(-1);
  if (code !== 0 || archive === undefined) throw new Error(`the package was not made (${code}): ${stderr}`);
  return archive;
}
