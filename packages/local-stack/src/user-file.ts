import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { environment } from './config.js';

/** Where the command line finds the embedded stack: its address and its administrator's token. */
export const stackFile = path.join(environment.configFolder, 'stack.yaml');

/** Readable by its owner only: it holds a token. */
export async function writeStackFile(stack: { url: string; token: string; data: string }): Promise<void> {
  await mkdir(environment.configFolder, { recursive: true, mode: 0o700 });
  const content = { api_url: stack.url, token: stack.token, workspace: 'default', data: stack.data };
  await writeFile(stackFile, stringify(content), { mode: 0o600 });
}
