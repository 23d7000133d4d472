import { access, open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../../command-error.js';

/**
 * Writes a file whole or not at all. One that exists is kept, unless it may be replaced: then it stays as it is until
 * its successor is complete.
 */
export async function saveFile(
  target: string,
  content: AsyncIterable<Uint8Array>,
  { mayReplace }: { mayReplace: boolean },
): Promise<{ replaced: boolean }> {
  const exists = await access(target).then(
    () => true,
    () => false,
  );
  if (exists && !mayReplace) throw taken(target);
  const part = exists ? `${target}.${process.pid}.part` : target;
  const file = await open(part, 'wx').catch((cause) => {
    throw systemCode(cause) === 'EEXIST' ? taken(part, cause) : unwritable(target, cause);
  });
  try {
    await pipeline(content, file.createWriteStream());
    if (exists) await rename(part, target);
    return { replaced: exists };
  } catch (cause) {
    await rm(part, { force: true });
    throw unwritable(target, cause);
  }
}

function taken(target: string, cause?: unknown): CommandError {
  return new CommandError('usage', `${target} exists`, { hint: '--force replaces it.', cause });
}

function unwritable(target: string, cause: unknown): unknown {
  const code = systemCode(cause);
  if (
    code === undefined ||
    !['ENOENT', 'EISDIR', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(code)
  ) {
    return cause;
  }
  return new CommandError('usage', `${target} cannot be written (${code})`, { cause });
}

function systemCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
