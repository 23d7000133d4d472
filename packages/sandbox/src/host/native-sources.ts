import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export const TOOL_NAMES = ['inside', 'launcher'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

export const COMPILER_FLAGS = [
  ...['-std=gnu17', '-Os', '-s', '-Wall', '-Wextra'],
  // The first process of a sandbox reads what hostile commands write.
  ...['-static-pie', '-fPIE', '-fstack-protector-strong', '-U_FORTIFY_SOURCE', '-D_FORTIFY_SOURCE=2'],
];

const SHARED_BY_LAUNCHER = ['wire.c'];

/** The C sources of the programs that run outside of Node.js. */
export interface NativeSources {
  directory: string;
  /** SHA-256 of all names and contents, as hex. */
  digest: string;
  /** The files to compile, by program. */
  filesOf: Record<ToolName, string[]>;
}

export async function readNativeSources(): Promise<NativeSources> {
  const directory = path.resolve(import.meta.dirname, '../../native');
  const names = (await readdir(directory)).filter((name) => /\.[ch]$/.test(name)).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(name).update(await readFile(path.join(directory, name)));
  const isLauncher = (name: string) => name.startsWith('launcher');
  const files = names.filter((name) => name.endsWith('.c'));
  return {
    directory,
    digest: hash.digest('hex'),
    filesOf: {
      inside: files.filter((name) => !isLauncher(name)),
      launcher: [...files.filter(isLauncher), ...SHARED_BY_LAUNCHER],
    },
  };
}
