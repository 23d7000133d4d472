import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { EmbeddedError } from '../error.js';

export interface InstallOptions {
  cacheFolder: string;
  isRoot: boolean;
  log: (line: string) => void;
}

/** Installs nats-server from Debian's packages; without root, only its binary into the cache. Throws `not_installed`. */
export async function installNatsServer(options: InstallOptions): Promise<void> {
  try {
    if (options.isRoot) await installPackage(options);
    else await unpackIntoCache(options);
  } catch (cause) {
    throw notInstalled(cause);
  }
}

export function notInstalled(cause?: unknown): EmbeddedError {
  return new EmbeddedError('not_installed', 'There is no nats-server (2.9 or newer) on this machine.', {
    hint: [
      'Install it with:  sudo apt-get update && sudo apt-get install -y nats-server',
      'or put a nats-server from https://github.com/nats-io/nats-server/releases on the PATH.',
    ].join('\n'),
    cause,
  });
}

async function installPackage({ log }: InstallOptions): Promise<void> {
  log('Installing nats-server with apt-get');
  // policy-rc.d would be the system-wide way to keep the package from starting its service; RUNLEVEL is ours alone.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', 'nats-server'];
  await step(install, { env, log }).catch(async () => {
    await step(['apt-get', 'update'], { env, log });
    await step(install, { env, log });
  });
}

async function unpackIntoCache({ cacheFolder, log }: InstallOptions): Promise<void> {
  log('Downloading nats-server with apt-get (no root needed)');
  const folder = await mkdtemp(path.join(tmpdir(), 'agentclash-nats-'));
  try {
    await step(['apt-get', 'download', 'nats-server'], { cwd: folder, log });
    const archive = (await readdir(folder)).find((file) => file.endsWith('.deb'));
    if (!archive) throw new Error('apt-get download left no package');
    await step(['dpkg', '-x', archive, 'unpacked'], { cwd: folder, log });
    await mkdir(path.join(cacheFolder, 'nats-server'), { recursive: true });
    const binary = path.join(cacheFolder, 'nats-server', 'nats-server');
    await copyFile(path.join(folder, 'unpacked/usr/sbin/nats-server'), `${binary}.${process.pid}`);
    await rename(`${binary}.${process.pid}`, binary);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface StepOptions {
  cwd?: string;
  env?: Record<string, string>;
  log: (line: string) => void;
}

async function step([command = '', ...args]: string[], { cwd, env, log }: StepOptions): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env },
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
