import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedError } from '../error.js';
import { type Account, closedFolder } from '../process/account.js';
import type { PostgresBinaries } from './binaries.js';
import { type Durability, INITDB_FLAGS } from './settings.js';

const run = promisify(execFile);

export const SUPERUSER = 'postgres';

/** A database cluster on disk. */
export interface Cluster {
  folder: string;
  superuserPassword: string;
}

export interface ClusterOptions {
  dataDir: string;
  binaries: PostgresBinaries;
  account: Account | undefined;
  durability: Durability;
}

/** Opens the cluster in `dataDir/cluster`, created at first use, ready to be served by the account. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, account } = options;
  await mkdir(dataDir, { recursive: true });
  if (account) await assertReachable(dataDir, account);
  const folder = path.join(dataDir, 'cluster');
  const superuserPassword = await keepPassword(path.join(dataDir, 'superuser-password'));
  if (!(await isFile(path.join(folder, 'PG_VERSION'))))
    await createCluster(folder, superuserPassword, options);
  else if (account) await takeOwnership(folder, account);
  return { folder, superuserPassword };
}

/** Creates a cluster atomically: a crash during `initdb` leaves only a folder that the next start removes. */
async function createCluster(folder: string, password: string, options: ClusterOptions): Promise<void> {
  const { account, binaries, dataDir, durability } = options;
  const staging = path.join(dataDir, 'cluster.new');
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  const passwordFile = path.join(staging, 'superuser-password');
  const fresh = path.join(staging, 'cluster');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account)
    await Promise.all([staging, passwordFile].map((file) => chown(file, account.uid, account.gid)));
  try {
    await run(
      binaries.initdb,
      [
        `--pgdata=${fresh}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        ...INITDB_FLAGS,
        ...(durability === 'process' ? ['--no-sync'] : []),
      ],
      {
        cwd: '/',
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
        ...(account && { uid: account.uid, gid: account.gid }),
      },
    );
  } catch (cause) {
    throw new EmbeddedError('start_failed', `PostgreSQL could not create its data folder ${folder}.`, {
      hint: (cause as { stderr?: string }).stderr?.trim() || 'Check that the disk is writable and not full.',
      cause,
    });
  }
  await rename(fresh, folder);
  await rm(staging, { recursive: true, force: true });
}

/** Changes the owner of data written by another account (a restored folder, a recreated container). */
async function takeOwnership(folder: string, account: Account): Promise<void> {
  if ((await stat(folder)).uid === account.uid) return;
  const files = await readdir(folder, { recursive: true });
  await chown(folder, account.uid, account.gid);
  for (const file of files) await chown(path.join(folder, file), account.uid, account.gid);
}

async function assertReachable(dataDir: string, account: Account): Promise<void> {
  await chmod(dataDir, 0o755);
  const closed = await closedFolder(dataDir, account);
  if (!closed) return;
  throw new EmbeddedError(
    'directory_unreachable',
    `PostgreSQL does not run as root, and the user ${account.name} cannot enter ${closed}.`,
    {
      hint: `Choose a data folder outside ${closed}, for instance under /var/lib, or run as an ordinary user.`,
    },
  );
}

async function keepPassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const password = randomBytes(24).toString('base64url');
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  return password;
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
