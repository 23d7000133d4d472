import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { environment } from './config.js';

/** Where the command line finds the embedded stack: its address and its administrator's token. */
export const stackFile = path.join(environment.configFolder, 'stack.yaml');

/** Readable by its owner only: it holds a token. */
export async function writeStackFile(stack: { url: string; token: string; data: string }): Promise<void> {
  await mkdir(environment.configFolder, { recursive: true, mode: 0o700 });
  const content = { api_url: stack.url, token: stack.token, workspace: 'default', data: stack.data };
  await writeFile(stackFile, stringify(content), { mode: 0o600 });
}

/** Forgets a stack that has ended; another's file stays. */
export async function removeStackFile(data: string): Promise<void> {
  const content = await readFile(stackFile, 'utf8').catch(() => '');
  const stack: unknown = parse(content);
  const isOurs = typeof stack === 'object' && stack !== null && 'data' in stack && stack.data === data;
  if (isOurs) await rm(stackFile, { force: true });
}
