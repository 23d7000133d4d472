import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { environment } from '../../config.js';

/** The data folder meant: the one named, else that of the stack started last, else the usual one. */
export async function dataFolder(named: string | undefined): Promise<string> {
  if (named !== undefined) return path.resolve(named);
  const { defaultDataFolder } = await import('@agentclash/local-stack');
  return (await lastDataFolder()) ?? defaultDataFolder;
}

async function lastDataFolder(): Promise<string | undefined> {
  const text = await readFile(path.join(environment.configFolder, 'stack.yaml'), 'utf8').catch(
    () => undefined,
  );
  if (text === undefined) return undefined;
  const { parse } = await import('yaml');
  try {
    const { data } = parse(text) as { data?: unknown };
    return typeof data === 'string' ? data : undefined;
  } catch {
    return undefined;
  }
}
