import { readFileSync } from 'node:fs';
import type { Session } from './session.js';

/** The version of the command line that is installed. */
export function installedVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

export async function printVersion(session: Session): Promise<undefined> {
  const version = installedVersion();
  session.out.result({ version, node: process.version }, () => `agentclash ${version}`);
}
