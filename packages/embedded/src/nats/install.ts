import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { toolEnvironment } from '../config.js';
import { PINNED_VERSION, pinnedArchive, type ReleaseArchive } from './version.js';

const APT_HELPER = '/usr/lib/apt/apt-helper';

export interface InstallOptions {
  /** The folder that gets the binary. */
  folder: string;
  log: (line: string) => void;
}

const DOWNLOAD_SECONDS_MAX = 10;

/**
 * Downloads the pinned nats-server and unpacks its binary, without root and not into the system. Whether that was
 * possible: not without access to it, and never from an archive with another checksum.
 */
export async function installPinnedNatsServer(
  { folder, log }: InstallOptions,
  archive: ReleaseArchive | undefined = pinnedArchive(process.arch),
): Promise<boolean> {
  if (archive === undefined) return false;
  log(`Downloading nats-server ${PINNED_VERSION} from Debian`);
  try {
    await inWorkFolder(async (workFolder) => {
      const waits = ['http', 'https'].flatMap((scheme) => [
        '-o',
        `Acquire::${scheme}::Timeout=${DOWNLOAD_SECONDS_MAX}`,
      ]);
      const words = [...waits, '-o', 'Acquire::Retries=0', 'download-file', archive.url, 'nats-server.deb'];
      await run([APT_HELPER, ...words, `SHA256:${archive.sha256}`], { cwd: workFolder, log });
      await unpack(workFolder, { folder, log });
    });
    return true;
  } catch (error) {
    log(`nats-server ${PINNED_VERSION} was not installed: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

/**
 * Downloads the nats-server of the machine's own Debian packages and unpacks its binary, with or without root. It is not
 * installed into the system: the package would start a system service. Throws
 * where that is not possible.
 */
export async function installNatsServer({ folder, log }: InstallOptions): Promise<void> {
  log('Downloading nats-server from the Debian packages of this machine');
  await inWorkFolder(async (workFolder) => {
    await download(workFolder, log);
    await unpack(workFolder, { folder, log });
  });
}

async function inWorkFolder(work: (workFolder: string) => Promise<void>): Promise<void> {
  const workFolder = await mkdtemp(path.join(tmpdir(), 'agentclash-nats-'));
  try {
    await work(workFolder);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

async function unpack(workFolder: string, { folder, log }: InstallOptions): Promise<void> {
  const archive = (await readdir(workFolder)).find((file) => file.endsWith('.deb'));
  if (!archive) throw new Error('the download left no package');
  await run(['dpkg', '-x', archive, 'unpacked'], { cwd: workFolder, log });
  await mkdir(folder, { recursive: true });
  const binary = path.join(folder, 'nats-server');
  const unfinished = `${binary}.${process.pid}`;
  await copyFile(path.join(workFolder, 'unpacked/usr/sbin/nats-server'), unfinished);
  await rename(unfinished, binary);
}

/** Uses the machine's package lists; where these are absent or too old, separate lists, which need no root. */
async function download(workFolder: string, log: InstallOptions['log']): Promise<void> {
  const options = { cwd: workFolder, log };
  try {
    await run(['apt-get', 'download', 'nats-server'], options);
  } catch {
    await mkdir(path.join(workFolder, 'lists/partial'), { recursive: true });
    await mkdir(path.join(workFolder, 'cache/archives/partial'), { recursive: true });
    const ownLists = ['-o', `Dir::State::Lists=${workFolder}/lists`, '-o', `Dir::Cache=${workFolder}/cache`];
    await run(['apt-get', ...ownLists, 'update'], options);
    await run(['apt-get', ...ownLists, 'download', 'nats-server'], options);
  }
}

interface RunOptions {
  cwd: string;
  log: (line: string) => void;
}

async function run([command = '', ...args]: string[], { cwd, log }: RunOptions): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: toolEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', log);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with exit code ${code}`));
    });
  });
}
