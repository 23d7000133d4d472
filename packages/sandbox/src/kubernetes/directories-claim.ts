import path from 'node:path';
import { isWithin } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import type { HostDirectory } from '../spec.js';

/** A volume that this process writes and sandboxes read: pods mount single directories of it, never the whole. */
export interface DirectoriesClaim {
  /** The name of the volume's claim in the namespace of sandboxes. */
  name: string;
  /** Where this process has the volume mounted. */
  directory: string;
  /** The part of the volume that `directory` shows; default: all of it. */
  path?: string | undefined;
}

const VOLUME = 'directories';
/** Node's names of processors, as Kubernetes labels nodes. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

interface VolumeMount {
  name: string;
  mountPath: string;
  subPath: string;
  readOnly: true;
}

export interface MountedDirectories {
  volumes: object[];
  mounts: VolumeMount[];
  /** Nodes on which the programs of the directories run: those of this process's processor. */
  nodeSelector: Readonly<Record<string, string>>;
}

/** The host directories of a sandbox as parts of its pod. Throws `unsupported` for one that the claim does not hold. */
export function mountedDirectories(
  directories: readonly HostDirectory[],
  claim: DirectoriesClaim | undefined,
): MountedDirectories {
  if (directories.length === 0) return { volumes: [], mounts: [], nodeSelector: {} };
  if (claim === undefined) {
    throw refusedDirectory('this cluster shows sandboxes no directory: AGENT_PACKAGES_CLAIM is not set');
  }
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  return {
    volumes: [{ name: VOLUME, persistentVolumeClaim: { claimName: claim.name, readOnly: true } }],
    mounts: directories.map(({ source, path: mountPath }) => ({
      name: VOLUME,
      mountPath,
      subPath: subPathOf(source, claim),
      readOnly: true,
    })),
    nodeSelector: { 'kubernetes.io/arch': architecture },
  };
}

function subPathOf(source: string, { directory, path: part = '' }: DirectoriesClaim): string {
  const [from, root] = [path.resolve(source), path.resolve(directory)];
  if (from === root || !isWithin(from, root)) {
    throw refusedDirectory('a directory of a sandbox is not inside AGENT_PACKAGES_DIR');
  }
  return path.posix.join(part, path.relative(root, from));
}

function refusedDirectory(message: string): SandboxError {
  return new SandboxError('unsupported', message, { capability: 'hostDirectories' });
}
