import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedError } from '../error.js';

/** In the package's folder: which links its archive cannot hold, both paths from there. */
const LIST = 'native/pg-symlinks.json';

/**
 * Makes the links between the libraries of an installed package of PostgreSQL, which its own install script makes where
 * such scripts are allowed. Links that are there stay. Throws `not_installed` where the folder cannot be written.
 */
export async function makeLibraryLinks(packageFolder: string): Promise<void> {
  const list = await readFile(path.join(packageFolder, LIST), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const from = path.relative(path.dirname(target), source);
    await symlink(from, path.join(packageFolder, target)).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EEXIST') return;
      throw new EmbeddedError('not_installed', `${packageFolder} has no ${target}, and it cannot be made.`, {
        hint: 'Run the install script of this package (npm rebuild) as the user who may write there.',
        cause,
      });
    });
  }
}
