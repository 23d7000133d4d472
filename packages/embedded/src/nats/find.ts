import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, environment } from '../config.js';
import { installNatsServer, notInstalled } from './install.js';

const run = promisify(execFile);

export interface FindNatsOptions {
  /** Whether an absent nats-server may be downloaded into the cache. Default true. */
  mayInstall?: boolean;
  /** Progress of an installation. */
  log: (line: string) => void;
}

const VERSION_MIN = [2, 9];
const BINARY = 'nats-server';
const natsFolder = path.join(cacheFolder, BINARY);

/** The path of a nats-server that is new enough. Throws `not_installed` with a hint what to install. */
export async function findNatsServer({ mayInstall = true, log }: FindNatsOptions): Promise<string> {
  const present = await firstUsable();
  if (present) return present;
  if (!mayInstall) throw notInstalled();
  await installNatsServer({ folder: natsFolder, log });
  const installed = await firstUsable();
  if (!installed) throw notInstalled();
  return installed;
}

async function firstUsable(): Promise<string | undefined> {
  const folders = [...environment.searchPath, '/usr/sbin', '/usr/local/sbin', natsFolder];
  for (const folder of new Set(folders)) {
    const file = path.join(folder, BINARY);
    if (await isUsable(file)) return file;
  }
  return undefined;
}

async function isUsable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    const { stdout } = await run(file, ['--version']);
    return isVersionSupported(stdout);
  } catch {
    return false;
  }
}

/** Checks the output of `nats-server --version`, such as `nats-server: v2.9.10`. */
export function isVersionSupported(printed: string): boolean {
  const version = /v?(\d+)\.(\d+)/.exec(printed);
  if (!version) return false;
  const [major = 0, minor = 0] = version.slice(1).map(Number);
  const [majorMin = 0, minorMin = 0] = VERSION_MIN;
  return major > majorMin || (major === majorMin && minor >= minorMin);
}
