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
  type PrebuiltManifest,
  readNativeSources,
  TOOL_NAMES,
} from '../../host/prebuilt-tools.js';

const run = promisify(execFile);

const INSTALL_TOOLCHAIN = 'apt-get install -y gcc musl-dev linux-libc-dev';
const REPRODUCIBLE = ['-nostdinc', '-nostdlib', '-Wl,--build-id=none', '-Wl,-z,relro,-z,now'];

interface Musl {
  include: string;
  lib: string;
  kernel: readonly [name: string, directory: string][];
}

/**
 * The versions that decide the bytes of a build, for the manifest; undefined where gcc or musl is missing. musl,
 * because its licence lets a static program be passed on, and because the programs are a ninth of the size of those
 * with glibc.
 */
export async function findToolchain(): Promise<Record<string, string> | undefined> {
  const musl = await findMusl().catch(() => undefined);
  if (musl === undefined) return undefined;
  return {
    gcc: await firstLine('gcc', '--version'),
    ld: await firstLine('ld', '--version'),
    'libc.a': digestOf(await readFile(path.join(musl.lib, 'libc.a'))),
    'linux/version.h': digestOf(await readFile('/usr/include/linux/version.h')),
  };
}

/** Builds the programs for this machine's platform into `<directory>/<platform>`; their entry of the manifest. */
export async function buildPrebuiltTools(directory: string): Promise<PrebuiltManifest> {
  const [musl, toolchain, sources] = [await findMusl(), await findToolchain(), await readNativeSources()];
  if (musl === undefined || toolchain === undefined) throw new Error(`not found: ${INSTALL_TOOLCHAIN}`);
  const target = path.join(directory, PLATFORM);
  await mkdir(target, { recursive: true });
  const headers = await mkdtemp(path.join(tmpdir(), 'agentclash-kernel-headers-'));
  try {
    for (const [name, from] of musl.kernel) await symlink(from, path.join(headers, name));
    for (const name of TOOL_NAMES) {
      const start = ['rcrt1.o', 'crti.o'].map((file) => path.join(musl.lib, file));
      const libc = path.join(musl.lib, 'libc.a');
      const end = [libc, '-lgcc', libc, path.join(musl.lib, 'crtn.o')];
      const include = ['-isystem', musl.include, '-isystem', headers];
      const output = ['-o', path.join(target, name)];
      const flags = [...COMPILER_FLAGS, ...REPRODUCIBLE, ...include, ...output];
      const options = { cwd: sources.directory, env: toolEnvironment() };
      await run('gcc', [...flags, ...start, ...sources.filesOf[name], ...end], options);
    }
  } finally {
    await rm(headers, { recursive: true });
  }
  const digest = async (name: string) => digestOf(await readFile(path.join(target, name)));
  return {
    sources: sources.digest,
    toolchain,
    programs: { [PLATFORM]: { inside: await digest('inside'), launcher: await digest('launcher') } },
  };
}

async function findMusl(): Promise<Musl | undefined> {
  const multiarch = await firstLine('gcc', '-print-multiarch');
  const name = multiarch.replace(/-gnu$/, '-musl');
  const musl: Musl = {
    include: `/usr/include/${name}`,
    lib: `/usr/lib/${name}`,
    kernel: [
      ['linux', '/usr/include/linux'],
      ['asm-generic', '/usr/include/asm-generic'],
      ['asm', `/usr/include/${multiarch}/asm`],
    ],
  };
  const needed = [musl.include, path.join(musl.lib, 'rcrt1.o'), ...musl.kernel.map(([, from]) => from)];
  return needed.every((file) => existsSync(file)) ? musl : undefined;
}

async function firstLine(program: string, argument: string): Promise<string> {
  const { stdout } = await run(program, [argument], { env: toolEnvironment() });
  return stdout.split('\n')[0] ?? '';
}
