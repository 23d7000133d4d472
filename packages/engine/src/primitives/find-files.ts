import { ToolError } from '../tools/tool-error.js';
import type { PrimitiveContext } from './primitive.js';

/** Directories that belong to tools of ours or of version control, not to the work. */
const SKIPPED = ['.git', '.agentclash'];

export interface FoundFiles {
  /** In path order; each path can be handed to the other file tools as it is. */
  files: { path: string; size: number }[];
  truncated: boolean;
}

/** The regular files below a directory, as an agent would name them. */
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
  const files = listing.entries.map((entry) => ({ path: pathOf(path, entry.path), size: entry.bytes }));
  return { files, truncated: listing.truncated };
}

/** The regular files that a search looks at: those below a directory, or the one file that the path names. */
export async function filesToSearch(
  context: PrimitiveContext,
  path: string,
  entriesMax: number,
): Promise<FoundFiles['files']> {
  try {
    return (await findFiles(context, path, entriesMax)).files;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'not_directory') throw error;
    const { sandbox, filesystem } = context;
    const { kind, bytes } = await sandbox.stat(path, { roots: filesystem.readable_roots });
    return kind === 'file' ? [{ path, size: bytes }] : [];
  }
}

function pathOf(prefix: string, entry: string): string {
  if (prefix === '' || prefix === '.') return entry;
  return `${prefix.replace(/\/+$/, '')}/${entry}`;
}
