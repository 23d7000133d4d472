import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Shortfall } from '../bubblewrap/host.js';
import { isSandboxError, SandboxError } from '../sandbox-error.js';
import type { Engine } from './engine.js';
import { EngineError } from './engine-error.js';
import type { EngineInfo } from './engine-objects.js';
import type { DockerOptions } from './options.js';
import type { GvisorRuntime } from './runtime.js';
import { ScratchContainer } from './scratch.js';

const STRONG_RUNTIMES = /runsc|gvisor|kata/i;
const PROBE_DIRECTORY = '/agentclash-probe';

/** The properties of a daemon, found out once. */
export interface DaemonFacts {
  hasUserNamespaces: boolean;
  isStronglyIsolated: boolean;
  /** Memory, CPU and processes of a container are limited. */
  hasLimits: boolean;
  /** It mounts directories of this machine. */
  seesDirectories: boolean;
  /** The folder of the daemon, where it is on this machine. */
  rootDirectory: string | undefined;
}

export function factsOf(info: EngineInfo, options: DockerOptions): Omit<DaemonFacts, 'seesDirectories'> {
  const { runtime } = options;
  if (runtime !== undefined && !Object.hasOwn(info.Runtimes ?? {}, runtime)) {
    const known = Object.keys(info.Runtimes ?? {}).join(', ');
    const fix = `register it in daemon.json, or set SANDBOX_DOCKER_RUNTIME to one of ${known}`;
    throw new SandboxError('unavailable', `the Docker daemon has no runtime ${runtime}`, { fix });
  }
  const isolates = STRONG_RUNTIMES.test(runtime ?? info.DefaultRuntime ?? '');
  return {
    hasUserNamespaces: (info.SecurityOptions ?? []).some((each) => /^name=(?:userns|rootless)\b/.test(each)),
    isStronglyIsolated: options.isStronglyIsolated === true || isolates,
    hasLimits: info.MemoryLimit && info.PidsLimit && info.CpuCfsQuota && !ignoresCgroups(info, runtime),
    rootDirectory: existsSync(info.DockerRootDir) ? info.DockerRootDir : undefined,
  };
}

/** gVisor makes the cgroup of a container itself, and none with this flag, whatever limits the daemon hands to it. */
function ignoresCgroups({ Runtimes, DefaultRuntime = '' }: EngineInfo, runtime = DefaultRuntime): boolean {
  const flags = Runtimes?.[runtime]?.runtimeArgs ?? [];
  return flags.some((flag) => /^--?ignore-cgroups(?:=true|=1)?$/.test(flag));
}

/** True where it mounts directories of this machine. */
export async function probeDirectories(
  engine: Engine,
  options: { image: string; owner: string },
): Promise<boolean> {
  return await showsDirectory(engine, options).catch((error: unknown) => {
    if (error instanceof EngineError || !isSandboxError(error)) return false;
    throw error;
  });
}

async function showsDirectory(engine: Engine, options: { image: string; owner: string }): Promise<boolean> {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentclash-probe-'));
  const content = randomUUID();
  try {
    await writeFile(path.join(directory, 'file'), content);
    const Mounts = [{ Type: 'bind', Source: directory, Target: PROBE_DIRECTORY, ReadOnly: true }];
    return await ScratchContainer.use(engine, { ...options, hostConfig: { Mounts } }, async (scratch) => {
      return (await scratch.read(`${PROBE_DIRECTORY}/file`))?.toString() === content;
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** For `doctor` and the log. */
export function shortfallsOf(
  { hasLimits }: Pick<DaemonFacts, 'hasLimits'>,
  gvisor: GvisorRuntime | undefined,
): Shortfall[] {
  const limits: Shortfall = {
    problem: 'the Docker daemon cannot limit memory, CPU or processes: a sandbox may take those of others',
    fix: 'give it the controllers memory, cpu and pids, for a rootless daemon by delegation (see `docker info`), and its runtime no --ignore-cgroups',
  };
  const disk: Shortfall = {
    problem:
      'the Docker daemon does not limit the size of a root: sandboxes of images are measured every second and ended when they are too large',
    fix: 'give its data-root a disk of its own, so that a second of writing fills no other',
  };
  const images: Shortfall = {
    problem: `packs with images are not run: the size of a root cannot be measured on the runtime ${gvisor?.name}`,
    fix: 'register it in daemon.json with "runtimeArgs": ["--network=none", "--overlay2=none"], and restart the daemon',
  };
  const hasImages = gvisor?.hasMeasuredRoot !== false;
  return [...(hasLimits ? [] : [limits]), disk, ...(hasImages ? [] : [images])];
}
