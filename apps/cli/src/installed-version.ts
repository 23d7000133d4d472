import { readFileSync } from 'node:fs';

/** The version of the command line that is installed. */
export function installedVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
