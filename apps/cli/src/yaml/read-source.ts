import { readFile } from 'node:fs/promises';
import { CommandError } from '../command-error.js';
import { readStdin } from '../terminal/read-stdin.js';

/** The bytes of a file; `-` is standard input. Of an absent one, the error has the hint. */
export async function readSource(file: string, hint?: string): Promise<Uint8Array> {
  if (file === '-') return readStdin();
  try {
    return await readFile(file);
  } catch (cause) {
    throw unreadable(file, cause, hint);
  }
}

function unreadable(file: string, cause: unknown, hint: string | undefined): CommandError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return new CommandError('not_found', `There is no file ${file}`, { ...(hint && { hint }), cause });
  if (code === 'EISDIR') return new CommandError('usage', `${file} is a folder`, { cause });
  return new CommandError('usage', `${file} cannot be read (${code ?? 'unknown reason'})`, { cause });
}

/** How a source is called in messages. */
export function sourceName(file: string): string {
  return file === '-' ? '<stdin>' : file;
}
