import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { toolEnvironment } from '../../host/config.js';
import {
  COMPILER_FLAGS,
  digestOf,
  PLATFORM,
  type PrebuiltProgram,
  readNativeSources,
  TOOL_NAMES,
} from '../../host/prebuilt-tools.js';

const run = promisify(execFile);

const REPRODUCIBLE = ['-nostdinc', '-nostdlib', '-Wl,--build-id=none', '-Wl,-z,relro,-z,now'];
const HEADERS = ['linux', 'asm', 'asm-generic'];

/** The platforms that programs are built for, with the prefix of their tools. */
const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-linux',
  'linux-arm64': 'aarch64-linux',
};
export const PREBUILT_PLATFORMS = Object.keys(PLATFORMS);

/** The tools that build for a platform: the compiler of this machine, or a cross compiler of Debian. */
interface Toolchain {
  gcc: string;
  ld: string;
  /** Packages of Debian that have all of it. */
  packages: string;
  include: string;
  lib: string;
  /** Folders of headers of the kernel, of which the first has each. */
  kernel: readonly string[];
}

function toolchainOf(platform: string): Toolchain {
  const prefix = PLATFORMS[platform];
  if (prefix === undefined) throw new Error(`no programs are built for ${platform}`);
  const musl = { include: `/usr/include/${prefix}-musl`, lib: `/usr/lib/${prefix}-musl` };
  const tool = (name: string) => (platform === PLATFORM ? name : `${prefix}-gnu-${name}`);
  const architecture = platform.replace('linux-', '');
  return {
    ...{ ...musl, gcc: tool('gcc'), ld: tool('ld') },
    packages:
      platform === PLATFORM
        ? 'gcc musl-dev linux-libc-dev'
        : `gcc-${prefix}-gnu linux-libc-dev-${architecture}-cross musl-dev:${architecture}`,
    kernel:
      platform === PLATFORM ? [`/usr/include/${prefix}-gnu`, '/usr/include'] : [`/usr/${prefix}-gnu/include`],
  };
}

/**
 * The versions that decide the bytes of a build, for the manifest; undefined where the compiler or musl is missing. musl,
 * because its licence lets a static program be passed on, and because the programs are a ninth of the size of those
 * with glibc.
 */
export async function findToolchain(platform: string): Promise<Record<string, string> | undefined> {
  const { gcc, ld, lib, kernel } = toolchainOf(platform);
  try {
    return {
      gcc: await firstLine(gcc),
      ld: await firstLine(ld),
      'libc.a': digestOf(await readFile(path.join(lib, 'libc.a'))),
      'linux/version.h': digestOf(await readFile(headersIn(kernel, 'linux/version.h'))),
    };
  } catch {
    return undefined;
  }
}

/** Builds the programs for a platform into `<directory>/<platform>`; their entry of the manifest. */
export async function buildPrebuiltTools(directory: string, platform: string): Promise<PrebuiltProgram> {
  const [toolchain, sources] = [await findToolchain(platform), await readNativeSources()];
  const { gcc, include, kernel, lib, packages } = toolchainOf(platform);
  if (toolchain === undefined) throw new Error(`not found for ${platform}: apt-get install -y ${packages}`);
  const target = path.join(directory, platform);
  await mkdir(target, { recursive: true });
  const headers = await mkdtemp(path.join(tmpdir(), 'agentclash-kernel-headers-'));
  try {
    for (const name of HEADERS) await symlink(headersIn(kernel, name), path.join(headers, name));
    for (const name of TOOL_NAMES) {
      const start = ['rcrt1.o', 'crti.o'].map((file) => path.join(lib, file));
      const libc = path.join(lib, 'libc.a');
      const end = [libc, '-lgcc', libc, path.join(lib, 'crtn.o')];
      const includes = ['-isystem', include, '-isystem', headers];
      const output = ['-o', path.join(target, name)];
      const flags = [...COMPILER_FLAGS, ...REPRODUCIBLE, ...includes, ...output];
      const options = { cwd: sources.directory, env: toolEnvironment() };
      await run(gcc, [...flags, ...start, ...sources.filesOf[name], ...end], options);
    }
  } finally {
    await rm(headers, { recursive: true });
  }
  const digest = async (name: string) => digestOf(await readFile(path.join(target, name)));
  return { inside: await digest('inside'), launcher: await digest('launcher'), toolchain };
}

/** Throws where no folder has it. */
function headersIn(folders: readonly string[], name: string): string {
  const found = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${name} is in none of ${folders.join(', ')}`);
  return found;
}

async function firstLine(program: string): Promise<string> {
  const { stdout } = await run(program, ['--version'], { env: toolEnvironment() });
  return stdout.split('\n')[0] ?? '';
}
