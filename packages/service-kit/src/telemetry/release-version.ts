import { createRequire } from 'node:module';

/** The version of this release, which all of its packages have. */
export function releaseVersion(): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  return version;
}
