import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../command-error.js';

/** Writes a file that a command makes; one that exists is replaced by `force` alone. */
export async function writeNewFile(file: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new CommandError('usage', `${file} exists`, { hint: '--force replaces it.', cause });
    }
    if (code === 'ENOENT') {
      throw new CommandError('not_found', `There is no folder ${path.dirname(file)}`, { cause });
    }
    throw new CommandError('usage', `${file} cannot be written (${code})`, { cause });
  }
}

/** Writes the schema that a document names in its first line, for editors. An existing one may be user-written. */
export async function writeSchemaFile(schema: string, content: object): Promise<void> {
  try {
    await writeFile(schema, `${JSON.stringify(content, null, 1)}\n`, { flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST') {
      throw new CommandError('usage', `${schema} cannot be written (${code})`, { cause });
    }
  }
}
