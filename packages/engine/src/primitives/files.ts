import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { ToolError } from '../outcome/tool-error.js';
import { definePrimitive, type PrimitiveContext } from './primitive.js';

/** Directories of the platform and of version control, not of the task. */
const SKIPPED = ['.git', '.agentclash'];

export interface FoundFiles {
  /** In path order; each path can be handed to the other file tools as it is. */
  files: { path: string; size: number }[];
  truncated: boolean;
}

/** The regular files below a directory, as an agent would name them. */
async function findFiles(context: PrimitiveContext, path: string, entriesMax: number): Promise<FoundFiles> {
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

/** The regular files of a search: those below a directory, or the one file that the path names. */
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

export const readFile = definePrimitive({
  description: 'Read a file, or the part of it given by offset and length in bytes.',
  shape: z.strictObject({
    path: z.string().describe('Absolute, or relative to the working directory.'),
    offset: z.int().min(0).optional().describe('First byte; default 0.'),
    length: z.int().min(0).optional().describe('Bytes to read; default: to the end.'),
  }),
  mainFields: ['content'],
  wholeAt: ({ path }) => path,
  run: async ({ path, offset, length }, { sandbox, filesystem }) => {
    const { data } = await sandbox.readFile(path, { offset, length, roots: filesystem.readable_roots });
    const isText = isUtf8(data);
    return {
      path,
      content: data.toString(isText ? 'utf8' : 'base64'),
      bytes: data.length,
      ...(!isText && { encoding: 'base64' }),
    };
  },
});

export const writeFile = definePrimitive({
  description: 'Create or overwrite a file with text; missing directories are made.',
  shape: z.strictObject({
    path: z.string().describe('Absolute, or relative to the working directory.'),
    content: z.string(),
  }),
  run: async ({ path, content }, { sandbox, filesystem }) => {
    const { bytes } = await sandbox.writeFile(path, content, { roots: filesystem.writable_roots });
    return { path, written: true, bytes };
  },
});

const FILES_MAX = 2_000;

export const listFiles = definePrimitive({
  description: 'List the files below a directory, recursively.',
  shape: z.strictObject({
    prefix: z.string().optional().describe('Directory; default: the working directory.'),
  }),
  mainFields: ['files'],
  run: async ({ prefix = '' }, context) => {
    const { files, truncated } = await findFiles(context, prefix, FILES_MAX);
    return { prefix, files, ...(truncated && { truncated }) };
  },
});
