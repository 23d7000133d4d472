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
import { hasStatus } from './engine-error.js';
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
const READ_ONLY = '-ro';
const VOLUME = 'agentclash-inside-';
/** Beside that of this version: executors of others may use the same daemon during a roll-out. */
const OTHER_VERSIONS_MAX = 2;

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
 * The name of a volume with the process inside and its filter: one for each version of them. It stays for the next start
 * and for other executors of the daemon.
 */
export async function insideVolume(
  engine: Engine,
  options: { image: string; owner: string; machine: 'x64' | 'arm64'; isGvisor: boolean },
): Promise<string> {
  const [program, filter] = [await insideProgram(options.machine), seccompFilter(options.machine)];
  const digest = createHash('sha256').update(program).update(filter).digest('hex').slice(0, 16);
  const name = `${VOLUME}${digest}`;
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

/** Makes the volume again where it was removed, or Docker has made an empty one in its place. */
export async function keepInsideVolume(
  engine: Engine,
  name: string,
  make: () => Promise<string>,
): Promise<void> {
  const found = await engine
    .get<{ Labels: Record<string, string> | null }>(`/volumes/${name}`)
    .catch((error: unknown) => {
      if (!hasStatus(error, 404)) throw error;
    });
  if (found?.Labels?.[LABEL.managedBy] === MANAGER) return;
  if (found !== undefined) await removeVolume(engine, name);
  await make();
}

/** Removes volumes of all but the newest few versions; those that a container has stay. */
export async function removeOldVolumes(engine: Engine, current: string): Promise<void> {
  const filters = JSON.stringify({ label: [`${LABEL.managedBy}=${MANAGER}`], name: [VOLUME] });
  const { Volumes } = await engine.get<{ Volumes: { Name: string; CreatedAt: string }[] | null }>(
    '/volumes',
    { query: { filters } },
  );
  const others = (Volumes ?? [])
    .filter(({ Name }) => Name.startsWith(VOLUME) && !Name.endsWith(READ_ONLY))
    .filter(({ Name }) => Name !== current && `${Name}${READ_ONLY}` !== current)
    .sort((a, b) => Date.parse(b.CreatedAt) - Date.parse(a.CreatedAt));
  for (const { Name } of others.slice(OTHER_VERSIONS_MAX)) {
    // The second shows the files of the first, which the daemon does not know.
    if (await removeVolume(engine, `${Name}${READ_ONLY}`)) await removeVolume(engine, Name);
  }
}

/** False where a container has it. */
async function removeVolume(engine: Engine, name: string): Promise<boolean> {
  try {
    await engine.json('DELETE', `/volumes/${name}`);
    return true;
  } catch (error) {
    if (!hasStatus(error, 404, 409)) throw error;
    return hasStatus(error, 404);
  }
}

/** The same volume, which the kernel of the daemon's machine keeps read-only: see `mounts.ts`. */
async function readOnlyVolume(engine: Engine, of: string, device: string): Promise<string> {
  const Name = `${of}${READ_ONLY}`;
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
