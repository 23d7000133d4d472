import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { environment } from '../../config.js';

/** Below the configuration folder: `{"folders": […]}`, the data folders of the stacks that this user has started. */
export const KNOWN_STACKS_FILE = 'stacks.json';

/** Those that exist, by their full paths. */
export async function knownStacks(): Promise<string[]> {
  try {
    const { folders } = JSON.parse(await readFile(file(), 'utf8')) as { folders?: unknown };
    if (!Array.isArray(folders)) return [];
    return folders.filter((folder): folder is string => typeof folder === 'string' && existsSync(folder));
  } catch {
    return [];
  }
}

/** Adds the folder of a stack, and drops those that are gone. `folder`: its full path. */
export async function rememberStack(folder: string): Promise<void> {
  const known = await knownStacks();
  if (known.includes(folder)) return;
  await mkdir(environment.configFolder, { recursive: true, mode: 0o700 });
  const unfinished = `${file()}.${process.pid}`;
  const content = `${JSON.stringify({ folders: [...known, folder] }, null, 2)}\n`;
  await writeFile(unfinished, content, { mode: 0o600 });
  await rename(unfinished, file());
}

function file(): string {
  return path.join(environment.configFolder, KNOWN_STACKS_FILE);
}
