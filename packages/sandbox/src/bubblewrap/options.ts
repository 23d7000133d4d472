import type { IsolationLevel } from '../contract.js';
import type { ToolOptions } from '../host/native-tools.js';
import type { DiskSizes } from './arguments.js';
import type { BuildNetwork } from './build-network.js';
import type { BuildLimits } from './image-builds.js';
import type { UnpackedImages } from './image-roots.js';

/** The boundary between sandboxes and the kernel of the host. */
type LocalIsolation = 'namespaces' | 'gvisor';

/** All optional: by default the provider finds out what the machine can do. */
export interface BubblewrapOptions extends Partial<DiskSizes> {
  /** Registered images: name to root directory. */
  templates?: Readonly<Record<string, string>> | undefined;
  /** Images that packs name; default: none can be named. */
  images?: UnpackedImages | undefined;
  /** How Dockerfiles are built; default: without a network. */
  builds?: { network?: BuildNetwork | undefined; limits?: Partial<BuildLimits> } | undefined;
  /** Which programs run sandboxes; default: the prebuilt ones, and compiled ones where those do not fit. */
  tools?: ToolOptions;
  /** Of these programs. Readable by other users when run as root. */
  cacheDir?: string;
  /** Records of live sandboxes. Processes that share it see each other's leftovers. */
  stateDir?: string;
  /** Name of the cgroup that holds those of all sandboxes. Default `agentclash`. */
  cgroupName?: string;
  /** `gvisor`: a kernel of its own between each sandbox and that of the host; needs root. Default `namespaces`. */
  isolation?: LocalIsolation | undefined;
  /** The program `runsc` of gVisor; default: the first one found. */
  runsc?: string | undefined;
  /** The least to accept; `basic` leaves cgroups out even where they work. */
  level?: IsolationLevel;
  /** Workspaces larger than this are disk images rather than memory, where the machine can. Default 256 MiB. */
  memoryDiskBytesMax?: number;
  /** Packages that images lack, unpacked. Default: in `cacheDir`. */
  packageDir?: string;
  /** Maximum size of unused ones there. Default 4 GiB. */
  packageBytesMax?: number;
  reapEveryMs?: number;
  onProblem?: ((message: string, cause?: unknown) => void) | undefined;
}

const MIB = 1024 * 1024;

export const MEMORY_DISK_BYTES_MAX = 256 * MIB;

export const DISK_DEFAULTS: DiskSizes = {
  tmpBytes: 128 * MIB,
  homeBytes: 64 * MIB,
  sharedMemoryBytes: 64 * MIB,
  extraBytes: 256 * MIB,
};
