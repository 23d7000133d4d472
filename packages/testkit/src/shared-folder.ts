import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '../../..');

/** The folder with conformance vectors and data: `AGENTCLASH_SHARED`, else `../shared` beside the repository. */
export function sharedFolder(): string {
  return process.env.AGENTCLASH_SHARED ?? path.resolve(repository, '../shared');
}
