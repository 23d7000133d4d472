import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { SandboxError } from '../sandbox-error.js';
import { findProgram, toolEnvironment } from './config.js';
import {
  type CheckedTools,
  COMPILER_FLAGS,
  digestOf,
  type NativeSources,
  PLATFORM,
  type PrebuiltTools,
  readNativeSources,
  readPrebuiltTools,
  TOOL_NAMES,
} from './prebuilt-tools.js';

const run = promisify(execFile);

const COMPILE_TIMEOUT_MS = 120_000;
const COMPILERS = ['cc', 'gcc', 'clang', 'musl-gcc'];
const INSTALL_COMPILER = 'apt-get install -y gcc libc6-dev (a static C library is needed)';

/** `prebuilt`: shipped with this package. `compiled`: built on this machine from the sources in `native`. */
type ToolOrigin = 'prebuilt' | 'compiled';

/** Static programs in the cache, where sandboxes of other uids can run them. */
export interface NativeTools {
  origin: ToolOrigin;
  /** First process inside a sandbox. */
  inside: string;
  launcher: string;
}

export interface ToolOptions {
  /** Accepts only these; default: prebuilt ones, and compiled ones where those do not fit. */
  origin?: ToolOrigin | undefined;
  /** `null`: a machine without one; default: the first one found. */
  compiler?: string | null | undefined;
  /** Of the prebuilt programs. */
  directory?: string | undefined;
  /** Such as `linux-x64`; default: this machine's, the only one that can be compiled for. */
  platform?: string | undefined;
}

/** The source of the programs on this machine. */
type ToolPlan =
  | { origin: 'prebuilt'; prebuilt: CheckedTools }
  /** `problem`: why the prebuilt ones are not used. */
  | { origin: 'compiled'; compiler: string; problem: string };

/**
 * Decides without writing anything. Throws `unavailable` with what to do where neither the prebuilt programs fit this
 * machine and these sources nor a compiler can build them.
 */
export async function planNativeTools(options: ToolOptions = {}, sources?: NativeSources): Promise<ToolPlan> {
  const { digest } = sources ?? (await readNativeSources());
  const prebuilt: PrebuiltTools =
    options.origin === 'compiled'
      ? { problem: 'the sandbox tools are to be compiled' }
      : await readPrebuiltTools(digest, options);
  if ('contents' in prebuilt) return { origin: 'prebuilt', prebuilt };
  const { problem } = prebuilt;
  const { platform = PLATFORM } = options;
  if (options.origin === 'prebuilt' || platform !== PLATFORM) {
    const fix = `run \`pnpm sandbox:prebuild\` on ${platform}`;
    throw new SandboxError('unavailable', problem, { fix });
  }
  const compiler = options.compiler === undefined ? findProgram(...COMPILERS) : options.compiler;
  if (compiler !== null && compiler !== undefined) return { origin: 'compiled', compiler, problem };
  throw new SandboxError('unavailable', `${problem}, and there is no C compiler`, { fix: INSTALL_COMPILER });
}

/** Puts the programs into `cacheDir` unless this version is there. Throws as `planNativeTools` does. */
export async function findNativeTools(cacheDir: string, options: ToolOptions = {}): Promise<NativeTools> {
  const sources = await readNativeSources();
  const plan = await planNativeTools(options, sources);
  if (plan.origin === 'prebuilt') return installed(cacheDir, plan.prebuilt);
  return compiled(cacheDir, plan.compiler, sources);
}

/** Copies the very bytes whose digests were checked, and checks those that were copied before. */
async function installed(cacheDir: string, { contents, digests }: CheckedTools): Promise<NativeTools> {
  const tools = toolsIn(path.join(cacheDir, `prebuilt-${shortDigest(digests)}`), 'prebuilt');
  const isIntact = async (name: (typeof TOOL_NAMES)[number]) =>
    existsSync(tools[name]) && digestOf(await readFile(tools[name])) === digests[name];
  const intact = await Promise.all(TOOL_NAMES.map(isIntact));
  if (!intact.every(Boolean)) {
    const damaged = path.dirname(tools.inside);
    if (existsSync(damaged)) await rm(damaged, { recursive: true });
    await buildAside(cacheDir, tools, async (aside) => {
      for (const name of TOOL_NAMES) await writeFile(path.join(aside, name), contents[name]);
    });
  }
  await checkOwner(tools);
  return tools;
}

async function compiled(cacheDir: string, compiler: string, sources: NativeSources): Promise<NativeTools> {
  const key = shortDigest([process.arch, COMPILER_FLAGS, sources.digest]);
  const tools = toolsIn(path.join(cacheDir, key), 'compiled');
  if (!TOOL_NAMES.every((name) => existsSync(tools[name]))) {
    await buildAside(cacheDir, tools, async (aside) => {
      await Promise.all(
        TOOL_NAMES.map((name) => compile(compiler, path.join(aside, name), sources, sources.filesOf[name])),
      );
    });
  }
  await checkOwner(tools);
  return tools;
}

function toolsIn(directory: string, origin: ToolOrigin): NativeTools {
  return { origin, inside: path.join(directory, 'inside'), launcher: path.join(directory, 'launcher') };
}

function shortDigest(key: unknown): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 16);
}

/** Made in another directory and renamed, so that several processes may do so at once. */
async function buildAside(
  cacheDir: string,
  tools: NativeTools,
  make: (aside: string) => Promise<void>,
): Promise<void> {
  await mkdir(cacheDir, { recursive: true, mode: 0o755 });
  const aside = await mkdtemp(path.join(cacheDir, 'build-'));
  try {
    await make(aside);
    // Not readable for others: the kernel then keeps /proc of the process inside from root in an image.
    for (const name of TOOL_NAMES) await chmod(path.join(aside, name), 0o711);
    await chmod(aside, 0o755);
    await rename(aside, path.dirname(tools.inside)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function compile(
  compiler: string,
  output: string,
  { directory }: NativeSources,
  files: readonly string[],
): Promise<void> {
  try {
    await run(compiler, [...COMPILER_FLAGS, '-o', output, ...files], {
      cwd: directory,
      env: toolEnvironment(),
      timeout: COMPILE_TIMEOUT_MS,
    });
  } catch (cause) {
    throw new SandboxError('unavailable', 'the sandbox tools do not compile', {
      cause,
      fix: INSTALL_COMPILER,
    });
  }
}

/** Root runs these: no other user may have been able to put them there. */
async function checkOwner(tools: NativeTools): Promise<void> {
  const directory = path.dirname(tools.inside);
  for (const file of [directory, tools.inside, tools.launcher]) {
    const found = await stat(file);
    if (found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
      const problem = 'the cache of sandbox tools belongs to or is writable by another user';
      throw new SandboxError('unavailable', problem, { fix: `remove ${path.dirname(directory)}` });
    }
  }
}
