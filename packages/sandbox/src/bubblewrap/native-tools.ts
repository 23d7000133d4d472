import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { SandboxError } from '../sandbox-error.js';
import { findProgram, toolEnvironment } from './config.js';

const run = promisify(execFile);

const SOURCES = path.resolve(import.meta.dirname, '../../native');
const LAUNCHER_SOURCES = ['launcher.c', 'launcher_serve.c', 'wire.c'];
const FLAGS = [
  ...['-std=gnu17', '-Os', '-s', '-Wall', '-Wextra'],
  // The first process of a sandbox reads what hostile commands write.
  ...['-static-pie', '-fPIE', '-fstack-protector-strong', '-U_FORTIFY_SOURCE', '-D_FORTIFY_SOURCE=2'],
];
const COMPILE_TIMEOUT_MS = 120_000;
export const INSTALL_COMPILER = 'apt-get install -y gcc libc6-dev (a static C library is needed)';

/** Static programs, built from source once per version of it. */
export interface NativeTools {
  /** First process inside a sandbox. */
  inside: string;
  launcher: string;
}

/**
 * Compiles into `cacheDir` unless this version is there; undefined without a compiler. Throws `unavailable` when it
 * does not compile.
 */
export async function findNativeTools(
  cacheDir: string,
  compiler = findProgram('cc', 'gcc', 'clang', 'musl-gcc'),
): Promise<NativeTools | undefined> {
  const sources = (await readdir(SOURCES)).filter((name) => /\.[ch]$/.test(name)).sort();
  const target = path.join(cacheDir, await digestOf(sources));
  const tools = { inside: path.join(target, 'inside'), launcher: path.join(target, 'launcher') };
  if (!existsSync(tools.inside) || !existsSync(tools.launcher)) {
    if (compiler === undefined) return undefined;
    await build(compiler, { cacheDir, target, sources });
  }
  await mustBeOurs(target);
  return tools;
}

async function digestOf(sources: string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([process.arch, FLAGS]));
  for (const name of sources) hash.update(name).update(await readFile(path.join(SOURCES, name)));
  return hash.digest('hex').slice(0, 16);
}

/** Built aside and renamed, so that several processes may do so at once. */
async function build(
  compiler: string,
  { cacheDir, target, sources }: { cacheDir: string; target: string; sources: string[] },
): Promise<void> {
  await mkdir(cacheDir, { recursive: true, mode: 0o755 });
  const aside = await mkdtemp(path.join(cacheDir, 'build-'));
  try {
    const isInside = (name: string) => name.endsWith('.c') && !name.startsWith('launcher');
    await Promise.all([
      compile(compiler, path.join(aside, 'inside'), sources.filter(isInside)),
      compile(compiler, path.join(aside, 'launcher'), LAUNCHER_SOURCES),
    ]);
    await chmod(aside, 0o755);
    await rename(aside, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function compile(compiler: string, output: string, sources: string[]): Promise<void> {
  try {
    await run(compiler, [...FLAGS, '-o', output, ...sources], {
      cwd: SOURCES,
      env: toolEnvironment(),
      timeout: COMPILE_TIMEOUT_MS,
    });
    await chmod(output, 0o755);
  } catch (cause) {
    throw new SandboxError('unavailable', 'the sandbox tools do not compile', {
      cause,
      fix: INSTALL_COMPILER,
    });
  }
}

/** Root runs these: nobody else may have been able to put them there. */
async function mustBeOurs(target: string): Promise<void> {
  for (const name of ['.', 'inside', 'launcher']) {
    const found = await stat(path.join(target, name));
    if (found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
      const problem = 'the cache of sandbox tools belongs to or is writable by another user';
      throw new SandboxError('unavailable', problem, { fix: `remove ${path.dirname(target)}` });
    }
  }
}
