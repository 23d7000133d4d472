import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultPaths } from '../host/config.js';
import { findNativeTools, planNativeTools } from '../host/native-tools.js';
import { INSIDE_DIRECTORY, INSIDE_PATH } from '../remote/remote-sandbox.js';
import { SandboxError } from '../sandbox-error.js';
import { seccompFilter } from '../seccomp/filter.js';
import { FILTER_PATH } from './container.js';
import type { Engine } from './engine.js';
import { type EngineInfo, LABEL, MANAGER } from './engine-objects.js';
import { readOnlyBind } from './mounts.js';
import { ScratchContainer } from './scratch.js';

const MACHINES: Readonly<Record<string, 'x64' | 'arm64'>> = {
  x86_64: 'x64',
  amd64: 'x64',
  aarch64: 'arm64',
  arm64: 'arm64',
};
/** Another process may be just filling the same volume. */
const LOOKS = 20;
const LOOK_MS = 100;

/** Throws `unavailable` for a machine whose sandboxes have no program. */
export function machineOf({ Architecture, OSType }: EngineInfo): 'x64' | 'arm64' {
  const machine = MACHINES[Architecture];
  if (machine !== undefined && OSType === 'linux') return machine;
  const fix = 'switch Docker to Linux containers, on x64 or arm64';
  throw new SandboxError('unavailable', `sandboxes cannot run on a daemon for ${OSType}/${Architecture}`, {
    fix,
  });
}

/**
 * The name of a volume with the process inside and its filter: one for each version of them. It stays, as small as it
 * is, for the next start and for other executors of the daemon.
 */
export async function insideVolume(
  engine: Engine,
  options: { image: string; owner: string; machine: 'x64' | 'arm64'; isGvisor: boolean },
): Promise<string> {
  const [program, filter] = [await insideProgram(options.machine), seccompFilter(options.machine)];
  const digest = createHash('sha256').update(program).update(filter).digest('hex').slice(0, 16);
  const name = `agentclash-inside-${digest}`;
  const Labels = { [LABEL.managedBy]: MANAGER };
  const { Mountpoint } = await engine.post<{ Mountpoint: string }>('/volumes/create', {
    body: { Name: name, Labels },
  });
  const Mounts = [{ Type: 'volume', Source: name, Target: INSIDE_DIRECTORY }];
  await ScratchContainer.use(engine, { ...options, hostConfig: { Mounts } }, async (scratch) => {
    const isRight = async () =>
      (await scratch.read(INSIDE_PATH))?.equals(program) && (await scratch.read(FILTER_PATH))?.equals(filter);
    const isBegun = async () => (await scratch.read(INSIDE_PATH)) !== undefined;
    for (let looks = 0; looks < LOOKS && (await isBegun()); looks++) {
      if (await isRight()) return;
      await pause(LOOK_MS);
    }
    await scratch.write(INSIDE_DIRECTORY, [
      { name: 'inside', mode: 0o755, content: program },
      { name: 'filter', mode: 0o444, content: filter },
    ]);
    if (!(await isRight())) {
      throw new SandboxError('unavailable', 'the Docker daemon does not keep files in its volumes');
    }
  });
  return options.isGvisor ? await readOnlyVolume(engine, name, Mountpoint) : name;
}

/** The same volume, which the kernel of the daemon's machine keeps read-only: see `mounts.ts`. */
async function readOnlyVolume(engine: Engine, of: string, device: string): Promise<string> {
  const Name = `${of}-ro`;
  const Labels = { [LABEL.managedBy]: MANAGER };
  const body = { Name, Labels, Driver: 'local', DriverOpts: readOnlyBind(device) };
  await engine.post('/volumes/create', { body });
  return Name;
}

/** For the daemon's machine, which need not be this one. */
async function insideProgram(machine: 'x64' | 'arm64'): Promise<Buffer> {
  const platform = `linux-${machine}`;
  const plan = await planNativeTools({ platform });
  if (plan.origin === 'prebuilt') return plan.prebuilt.contents.inside;
  const { cacheDir } = defaultPaths(process.getuid?.() === 0);
  return await readFile((await findNativeTools(cacheDir, { platform })).inside);
}
