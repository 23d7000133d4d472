import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedError } from '../error.js';
import { FolderLock } from '../process/folder-lock.js';
import { evictOrphan, findServer } from '../process/pid-record.js';
import { assertPortFree, LOOPBACK, portInUse } from '../process/port.js';
import { type ServerExit, ServerProcess } from '../process/server-process.js';
import { findNatsServer } from './find.js';

export interface NatsOptions {
  /** Absolute. Holds JetStream's data; survives restarts. */
  dataDir: string;
  /** Default: a free one. */
  port?: number;
  /**
   * A nats-server configuration (accounts, users, permissions, limits). Its listen address and store are overridden;
   * it must log to stderr.
   */
  configFile?: string;
  /** True when the configuration names JetStream's folder (`storeIn`) itself: only then can it be reloaded. */
  hasStore?: boolean | undefined;
  /** Values for the `$VARIABLES` of the configuration, such as passwords. */
  env?: Record<string, string>;
  /** Every line the server prints, and the progress of an installation. */
  log: (line: string) => void;
}

export interface NatsServer {
  port: number;
  /** Without credentials. */
  url: string;
  /** Resolves when the server ends for any reason. */
  exited: Promise<ServerExit>;
  /** Shuts the server down. Idempotent. */
  stop(): Promise<void>;
}

const ANY_PORT = -1;
const STOP_SIGNAL = 'SIGTERM';
const LISTENING = /Listening for client connections on .*:(\d+)$/;
const READY = /Server is ready/;

/** Starts nats-server with JetStream on the loopback interface. Throws `EmbeddedError`. */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  const { dataDir, configFile, env, log } = options;
  const pidFile = pidFileIn(dataDir);
  await mkdir(dataDir, { recursive: true });
  await evictOrphan(pidFile, STOP_SIGNAL);
  const lock = await FolderLock.open({ name: 'nats-server', dataDir });
  if (options.port !== undefined) await assertPortFree(options.port, 'nats-server');
  const server = await ServerProcess.launch({
    name: 'nats-server',
    command: await findNatsServer({ log }),
    args: [
      ...(configFile ? ['--config', configFile] : []),
      ...['--addr', LOOPBACK, '--port', String(options.port ?? ANY_PORT)],
      ...(options.hasStore ? [] : ['--jetstream', '--store_dir', storeIn(dataDir)]),
    ],
    env,
    lock,
    pidFile,
    stopSignal: STOP_SIGNAL,
    log,
  });
  const listening = LISTENING.exec((await server.lineMatching(LISTENING)) ?? '');
  if (!listening || !(await server.lineMatching(READY)))
    throw lock.failureOf(await server.exited) ?? startFailure(server.lastOutput, options);
  const port = Number(listening[1]);
  return { port, url: `nats://${LOOPBACK}:${port}`, exited: server.exited, stop: () => server.stop() };
}

function startFailure(lastOutput: string, { dataDir, port, configFile }: NatsOptions): EmbeddedError {
  if (port !== undefined && /address already in use/.test(lastOutput)) return portInUse(port, 'nats-server');
  return new EmbeddedError('start_failed', `nats-server ended before it was ready:\n${lastOutput}`, {
    hint: `Its data is in ${dataDir}${configFile ? `, its configuration in ${configFile}` : ''}.`,
  });
}

/** The record of the server process of a data folder. */
function pidFileIn(dataDir: string): string {
  return path.join(dataDir, 'nats.process.json');
}

/** The folder of the streams of a data folder's server. */
export function storeIn(dataDir: string): string {
  return path.join(dataDir, 'jetstream');
}

/** Makes the server of this data folder reload its configuration; false when none runs. */
export function reloadNats(dataDir: string): boolean {
  const server = findServer(pidFileIn(dataDir));
  if (server === undefined) return false;
  process.kill(server.pid, 'SIGHUP');
  return true;
}
