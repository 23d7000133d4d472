import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../command-error.js';
import { environment } from '../config.js';

/** The settings of one server in the file of the user; what is undefined is removed. */
interface ServerSettings {
  api_url: string | undefined;
  token: string | undefined;
  workspace: string | undefined;
}

/** The user's own settings file. */
export const userSettingsFile = path.join(environment.configFolder, 'config.yaml');

/** Writes them, for the user alone; other members and comments of the file stay. False where that changes nothing. */
export async function writeUserSettings(settings: ServerSettings): Promise<boolean> {
  const { isMap, parseDocument } = await import('yaml');
  const text = await readIfThere(userSettingsFile);
  const document = parseDocument(text ?? '');
  if (document.errors.length > 0) throw new CommandError('usage', `${userSettingsFile} is not valid YAML`);
  if (document.contents !== null && !isMap(document.contents)) {
    throw new CommandError('usage', `${userSettingsFile} must hold a map`);
  }
  for (const [key, value] of Object.entries(settings)) {
    if (value !== undefined) document.set(key, value);
    else if (document.contents !== null) document.delete(key);
  }
  const after = document.contents === null ? '' : String(document);
  if (after === (text ?? '')) return false;
  await mkdir(environment.configFolder, { recursive: true, mode: 0o700 });
  const written = `${userSettingsFile}.${randomUUID()}`;
  try {
    await writeFile(written, after, { mode: 0o600, flag: 'wx' });
    await rename(written, userSettingsFile);
    return true;
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
