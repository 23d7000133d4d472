import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AllowedFolders } from './allowed-folders.js';
import { CallError } from './call-error.js';

/** A pack in a file of this machine, or a published one. */
export type PackReference = { file: string } | { slug: string; version: string | undefined };

/** `sums.yaml` and `./sums` are files, `sums` and `sums@2` published packs; an existing file precedes a slug. */
export async function packReference(given: string, folders: AllowedFolders): Promise<PackReference> {
  const [, slug, version] = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:@(\d{1,9}))?$/.exec(given) ?? [];
  if (slug === undefined || existsSync(given)) return { file: await folders.existing(given) };
  return { slug, version };
}

const IN_FILE = '.clash';

export function isResultsFile(reference: string | undefined): reference is string {
  return reference !== undefined && path.extname(reference) === IN_FILE;
}

/** A run as commands name it: a file of results, or a run of a server by its number, its id or a name. */
export async function runReference(given: string, folders: AllowedFolders): Promise<string> {
  if (isResultsFile(given)) return await folders.existing(given);
  if (/^[#\w][\w.-]{0,99}$/.test(given)) return given;
  throw new CallError(`"${given}" names no run`, [
    'A run is a file of results (.clash), or on a server its number (42), its id, the name of a baseline, or last.',
  ]);
}
