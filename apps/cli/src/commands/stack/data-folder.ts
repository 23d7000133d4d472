import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { environment } from '../../config.js';
import { shellWord } from '../../terminal/shell-word.js';

export interface DataFolder {
  folder: string;
  /** True when it is that of the stack that was started last, and not named on the command line. */
  isLast: boolean;
}

/** The data folder meant: the one named, else that of the stack started last, else the usual one. */
export async function dataFolder(named: string | undefined): Promise<DataFolder> {
  if (named !== undefined) return { folder: path.resolve(named), isLast: false };
  const { defaultDataFolder } = await import('@agentclash/local-stack');
  const last = await lastDataFolder();
  return last === undefined || last === defaultDataFolder
    ? { folder: defaultDataFolder, isLast: false }
    : { folder: last, isLast: true };
}

/** The command that starts the stack on this folder, whatever was started last. */
export async function upCommand(folder: string, ...options: string[]): Promise<string> {
  const { defaultDataFolder } = await import('@agentclash/local-stack');
  const data = folder === defaultDataFolder ? [] : ['--data', shellWord(folder)];
  return ['agentclash', 'up', ...data, ...options].join(' ');
}

/** Of a folder that was removed since, nothing is left to continue with. */
async function lastDataFolder(): Promise<string | undefined> {
  const text = await readFile(path.join(environment.configFolder, 'stack.yaml'), 'utf8').catch(
    () => undefined,
  );
  if (text === undefined) return undefined;
  const { parse } = await import('yaml');
  try {
    const { data } = parse(text) as { data?: unknown };
    return typeof data === 'string' && existsSync(data) ? data : undefined;
  } catch {
    return undefined;
  }
}
