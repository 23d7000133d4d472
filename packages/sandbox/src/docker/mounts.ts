import { createHash } from 'node:crypto';
import { INSIDE_DIRECTORY } from '../remote/remote-sandbox.js';
import type { HostDirectory } from '../spec.js';
import type { Engine } from './engine.js';
import { hasStatus } from './engine-error.js';
import { LABEL, MANAGER } from './engine-objects.js';

const DIRECTORY_VOLUME = 'agentclash-directory-';
const NAME_CHARACTERS = 32;

interface ShownPlan {
  /** The name of the volume that holds the process inside. */
  insideVolume: string;
  spec: { directories: readonly HostDirectory[] };
  /** The sandbox runs on gVisor. */
  isGvisor: boolean;
}

/** All that is shown to a sandbox, read-only. */
export function mountsOf({ insideVolume, spec, isGvisor }: ShownPlan): object[] {
  const directory = isGvisor ? volumeOf : bindOf;
  return [
    { Type: 'volume', Source: insideVolume, Target: INSIDE_DIRECTORY, ReadOnly: true },
    ...spec.directories.map(directory),
  ];
}

function bindOf({ source, path }: HostDirectory): object {
  const BindOptions = { Propagation: 'rprivate' };
  return { Type: 'bind', Source: source, Target: path, ReadOnly: true, BindOptions };
}

/**
 * gVisor (20240729) truncates files of read-only mounts when a sandbox opens them to be truncated, before it refuses that.
 * So the daemon itself mounts the directory read-only, as a volume, and the kernel of the machine refuses it.
 */
function volumeOf({ source, path }: HostDirectory): object {
  const name = createHash('sha256').update(source).digest('hex').slice(0, NAME_CHARACTERS);
  const VolumeOptions = {
    NoCopy: true,
    Labels: { [LABEL.managedBy]: MANAGER },
    DriverConfig: { Name: 'local', Options: readOnlyBind(source) },
  };
  return {
    Type: 'volume',
    Source: `${DIRECTORY_VOLUME}${name}`,
    Target: path,
    ReadOnly: true,
    VolumeOptions,
  };
}

/** Options of the volume driver `local`, for a directory of the daemon's machine. */
export function readOnlyBind(device: string): Record<string, string> {
  return { type: 'none', o: 'bind,ro', device };
}

/** Removes those volumes of directories that no container has; the next one that needs one makes it again. */
export async function removeUnusedDirectories(engine: Engine): Promise<void> {
  const filters = JSON.stringify({
    dangling: ['true'],
    label: [`${LABEL.managedBy}=${MANAGER}`],
    name: [DIRECTORY_VOLUME],
  });
  const { Volumes } = await engine.get<{ Volumes: { Name: string }[] | null }>('/volumes', {
    query: { filters },
  });
  for (const { Name } of Volumes ?? []) {
    await engine.json('DELETE', `/volumes/${Name}`).catch((error: unknown) => {
      if (!hasStatus(error, 404, 409)) throw error;
    });
  }
}
