import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, environment } from '../config.js';
import { installNatsServer, installPinnedNatsServer } from './install.js';
import { DownloadLog, notInstalled } from './not-installed.js';
import { compareVersions, unsupportedNotice, VERSION_MIN, versionIn } from './version.js';

const run = promisify(execFile);

export interface FindNatsOptions {
  /** True when an absent nats-server may be downloaded into the cache. Default true. */
  mayInstall?: boolean;
  /** Progress of an installation. */
  log: (line: string) => void;
}

const BINARY = 'nats-server';
const natsFolder = path.join(cacheFolder, BINARY);

/** A nats-server on this machine. */
export interface FoundNatsServer {
  file: string;
  version: string;
  /** A warning about a version that is no longer repaired. */
  notice?: string | undefined;
}

/**
 * The newest nats-server on the machine. Where that is no longer repaired, or there is none, a current one is
 * downloaded; without access to it, what there is will do. Throws `not_installed` with a hint what to install.
 */
export async function findNatsServer(options: FindNatsOptions): Promise<string> {
  return (await findNatsRelease(options)).file;
}

/** As `findNatsServer`, with its version. */
export async function findNatsRelease({ mayInstall = true, log }: FindNatsOptions): Promise<FoundNatsServer> {
  const present = await newestUsable();
  if (present !== undefined && (present.notice === undefined || !mayInstall)) return present;
  if (!mayInstall) throw notInstalled();
  const downloads = new DownloadLog(log);
  const options = { folder: natsFolder, log: downloads.line };
  if (!(await installPinnedNatsServer(options)) && present === undefined) {
    await installNatsServer(options).catch((cause: unknown) => {
      throw notInstalled({ failures: downloads.failures, cause });
    });
  }
  const installed = await newestUsable();
  if (installed === undefined) throw notInstalled({ failures: downloads.failures });
  return installed;
}

async function newestUsable(): Promise<FoundNatsServer | undefined> {
  const folders = new Set([...environment.searchPath, '/usr/sbin', '/usr/local/sbin', natsFolder]);
  const found = await Promise.all([...folders].map((folder) => usable(path.join(folder, BINARY))));
  return newest(found.filter((each) => each !== undefined));
}

/** The first of those with the highest version. */
export function newest(servers: readonly FoundNatsServer[]): FoundNatsServer | undefined {
  return servers.reduce<FoundNatsServer | undefined>(
    (best, each) => (best === undefined || compareVersions(each.version, best.version) > 0 ? each : best),
    undefined,
  );
}

async function usable(file: string): Promise<FoundNatsServer | undefined> {
  try {
    await access(file, constants.X_OK);
    const { stdout } = await run(file, ['--version']);
    const version = versionIn(stdout);
    if (version === undefined || compareVersions(version, VERSION_MIN) < 0) return undefined;
    return { file, version, notice: unsupportedNotice(version) };
  } catch {
    return undefined;
  }
}
