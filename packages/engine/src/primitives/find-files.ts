import type { FileListing } from '@agentclash/sandbox';
import type { PrimitiveContext } from './primitive.js';

/** Directories that belong to tools of ours or of version control, not to the work. */
const SKIPPED = ['.git', '.agentclash'];

export interface FoundFiles {
  /** In path order; each path can be handed to the other file tools as it is. */
  files: { path: string; size: number }[];
  truncated: boolean;
}

/** The regular files below a path, as an agent would name them. */
export async function findFiles(
  context: PrimitiveContext,
  path: string,
  entriesMax: number,
): Promise<FoundFiles> {
  const { sandbox, filesystem } = context;
  const roots = filesystem.readable_roots;
  const listing = await sandbox.list(path === '' ? '.' : path, {
    roots,
    skip: SKIPPED,
    kinds: ['file'],
    entriesMax,
  });
  const files = listing.entries.map((entry) => ({
    path: pathOf(path, entry.path, listing),
    size: entry.bytes,
  }));
  return { files, truncated: listing.truncated };
}

function pathOf(prefix: string, entry: string, listing: FileListing): string {
  const isTheFileItself =
    listing.entries.length === 1 && listing.path.endsWith(`/${entry}`) && prefix.endsWith(entry);
  if (isTheFileItself) return prefix;
  if (prefix === '' || prefix === '.') return entry;
  return `${prefix.replace(/\/+$/, '')}/${entry}`;
}
