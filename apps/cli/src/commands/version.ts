import { readFile } from 'node:fs/promises';
import type { Session } from '../session.js';

export async function run(session: Session): Promise<undefined> {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  session.out.result(
    { version: manifest.version, node: process.version },
    () => `agentclash ${manifest.version}`,
  );
}
