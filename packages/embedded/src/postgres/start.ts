import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { environment } from '../config.js';
import { EmbeddedError } from '../error.js';
import { type Account, serverAccount } from '../process/account.js';
import { FolderLock } from '../process/folder-lock.js';
import { evictOrphan, findServer } from '../process/pid-record.js';
import { assertPortFree, freePort, portInUse } from '../process/port.js';
import { type ServerExit, ServerProcess } from '../process/server-process.js';
import { type Address, connectionString, openSocketFolder, socketIn } from './address.js';
import { postgresBinaries } from './binaries.js';
import { type Cluster, openCluster, SUPERUSER } from './cluster.js';
import type { Login } from './database.js';
import { type Durability, serverFlags } from './settings.js';

export interface PostgresOptions {
  /** Absolute. Holds the cluster and the superuser's password; survives restarts. */
  dataDir: string;
  /** Default: a free one. */
  port?: number;
  /** Default `machine`. */
  durability?: Durability;
  /** Every line the server prints. */
  log: (line: string) => void;
}

export interface PostgresServer {
  port: number;
  /** A connection string, by way of the Unix socket where there is one; without a login, the superuser's. */
  url(database?: string, login?: Login): string;
  /** Resolves when the server ends for any reason. */
  exited: Promise<ServerExit>;
  /** Shuts the server down. Idempotent. */
  stop(): Promise<void>;
}

const READY = /database system is ready to accept connections/;
/** Not every file system supports sockets. */
const SOCKETLESS = /could not create any Unix-domain sockets/;
const STOP_SIGNAL = 'SIGINT';
const ATTEMPTS_MAX = 50;
const RETRY_AFTER_MS = 100;

/**
 * Starts PostgreSQL on the loopback interface and, where there can be one, on a Unix socket beside its data; on an
 * existing cluster or a new one. Throws `EmbeddedError`.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { dataDir, durability = 'machine' } = options;
  const pidFile = pidFileIn(dataDir);
  await evictOrphan(pidFile, STOP_SIGNAL);
  const account = environment.isRoot ? await serverAccount() : undefined;
  const lock = await openLock(dataDir, account);
  if (options.port !== undefined) await assertPortFree(options.port, 'PostgreSQL');
  const binaries = await postgresBinaries(account);
  const cluster = await openCluster({ dataDir, binaries, account, durability });
  let socketFolder = await openSocketFolder(dataDir, account);
  clearStaleLock(path.join(cluster.folder, 'postmaster.pid'), cluster.folder);

  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const at = { port, socketFolder };
    if (socketFolder) clearStaleLock(`${socketIn(socketFolder, port)}.lock`, cluster.folder);
    const server = await ServerProcess.launch({
      name: 'PostgreSQL',
      command: binaries.postgres,
      args: ['-D', cluster.folder, ...serverFlags(at, durability)],
      account,
      lock,
      pidFile,
      stopSignal: STOP_SIGNAL,
      log: options.log,
    });
    if (await server.lineMatching(READY)) return handle(server, cluster, at);
    if (socketFolder !== undefined && SOCKETLESS.test(server.lastOutput)) {
      socketFolder = undefined;
      continue;
    }
    const locked = lock.failureOf(await server.exited);
    if (locked !== undefined) throw locked;
    const failure = classify(server.lastOutput, { dataDir, port });
    const retry = failure.isTransient || (failure.error.code === 'port_in_use' && options.port === undefined);
    if (!retry || attempt === ATTEMPTS_MAX) throw failure.error;
    await delay(RETRY_AFTER_MS);
  }
}

/**
 * Throws `already_running` where a server of another container runs on this data: its processes are not to be seen from
 * here. One of this machine is left to the start, which ends it where its owner has ended.
 */
export async function assertNotServedElsewhere(dataDir: string): Promise<void> {
  if (findServer(pidFileIn(dataDir)) !== undefined) return;
  await openLock(dataDir, environment.isRoot ? await serverAccount() : undefined);
}

/** The record of the server process of a data folder. */
function pidFileIn(dataDir: string): string {
  return path.join(dataDir, 'postgres.process.json');
}

function openLock(dataDir: string, account: Account | undefined): Promise<FolderLock> {
  return FolderLock.open({ name: 'PostgreSQL', dataDir, account });
}

function handle(server: ServerProcess, cluster: Cluster, at: Address): PostgresServer {
  const superuser = { user: SUPERUSER, password: cluster.superuserPassword };
  return {
    port: at.port,
    url: (database = 'postgres', login = superuser) => connectionString(at, database, login),
    exited: server.exited,
    stop: () => server.stop(),
  };
}

interface StartFailure {
  error: EmbeddedError;
  /** A retry within moments succeeds. */
  isTransient: boolean;
}

function classify(lastOutput: string, { dataDir, port }: { dataDir: string; port: number }): StartFailure {
  if (/Address already in use/.test(lastOutput))
    return { error: portInUse(port, 'PostgreSQL'), isTransient: false };
  if (/lock file "postmaster.pid" already exists/.test(lastOutput)) {
    const error = new EmbeddedError('already_running', `Another PostgreSQL runs on the data in ${dataDir}.`, {
      hint: 'Stop it, or choose another data folder.',
    });
    return { error, isTransient: false };
  }
  const error = new EmbeddedError('start_failed', `PostgreSQL ended before it was ready:\n${lastOutput}`, {
    hint: `Its data is in ${dataDir}.`,
  });
  // The workers of a killed server need a moment to notice it.
  return { error, isTransient: /pre-existing shared memory block/.test(lastOutput) };
}

/**
 * Removes a lock of this cluster's server (`postmaster.pid`, or that of its socket) whose process has ended while its pid
 * was reused (usual after a container restart), which PostgreSQL would take for a running server. Where the kernel does
 * not show a process's working directory, the lock is left to PostgreSQL's own check.
 */
function clearStaleLock(lock: string, cluster: string): void {
  if (process.platform !== 'linux') return;
  const pid = lockedBy(lock);
  const workplace = pid === undefined ? undefined : worksIn(pid);
  if (workplace !== undefined && workplace !== realpathSync(cluster)) rmSync(lock, { force: true });
}

function lockedBy(lock: string): number | undefined {
  try {
    return Math.abs(Number.parseInt(readFileSync(lock, 'utf8'), 10));
  } catch {
    return undefined;
  }
}

/** A server's working directory is its cluster. Undefined when the process is gone or not ours to look at. */
function worksIn(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
