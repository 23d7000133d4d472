import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { environment } from './config.js';
import type { Credentials } from './credentials.js';

/** Where the command line finds the embedded stack: its address, its administrator's and its operator's token. */
const stackFile = path.join(environment.configFolder, 'stack.yaml');

export interface StackAccess {
  url: string;
  credentials: Pick<Credentials, 'adminToken' | 'operatorToken'>;
  data: string;
}

/** Readable by its owner only: it holds tokens. */
export async function writeStackFile({ url, credentials, data }: StackAccess): Promise<void> {
  await mkdir(environment.configFolder, { recursive: true, mode: 0o700 });
  const content = {
    api_url: url,
    token: credentials.adminToken,
    operator_token: credentials.operatorToken,
    workspace: 'default',
    data,
  };
  await writeFile(stackFile, stringify(content), { mode: 0o600 });
}

/**
 * Removes the entry of a stack that has ended, but keeps its data folder, which the next `up` uses. Leaves the file
 * of another stack.
 */
export async function removeStackFile(data: string): Promise<void> {
  const content = await readFile(stackFile, 'utf8').catch(() => '');
  const stack: unknown = parse(content);
  const isOurs = typeof stack === 'object' && stack !== null && 'data' in stack && stack.data === data;
  if (isOurs) await writeFile(stackFile, stringify({ data }), { mode: 0o600 });
}
