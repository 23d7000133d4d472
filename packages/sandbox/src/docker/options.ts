import type { DiskSizes } from '../bubblewrap/arguments.js';
import type { PoolOptions } from '../remote/pool.js';
import type { DaemonAddress } from './daemon-address.js';

export interface DockerOptions extends Partial<DiskSizes> {
  address: DaemonAddress;
  /** The image of commands; needs `/bin/sh` and the programs that packs use. */
  image: string;
  /** Registered images: name to image. */
  templates?: Readonly<Record<string, string>> | undefined;
  /** Named in the labels of containers. */
  owner: string;
  /** A runtime that is registered with the daemon, such as `runsc`. Default: the daemon's default. */
  runtime?: string | undefined;
  /** True when that runtime gives sandboxes a kernel of their own. Default: by its name. */
  isStronglyIsolated?: boolean | undefined;
  /**
   * Images may run as root, and Dockerfiles be built, also where neither user namespaces nor the runtime isolate root:
   * it is that of the machine then, without most of its capabilities.
   */
  allowsRootOfMachine?: boolean | undefined;
  /** Builds that require it get the network of the daemon's machine. Default: they get none. */
  hasNetworkInBuilds?: boolean | undefined;
  /** Images that the daemon lacks are pulled. Default true. */
  pulls?: boolean | undefined;
  /** By registry. */
  credentials?: Readonly<Record<string, { username: string; password: string }>> | undefined;
  /** Of images that this provider has pulled and built; those unused for longest are removed. Default 32 GiB. */
  imageBytesMax?: number | undefined;
  /** Default: 2 of one kind, 8 of all, for 60 s. */
  pool?: Partial<PoolOptions> | undefined;
  reapEveryMs?: number;
  onProblem?: ((message: string, cause?: unknown) => void) | undefined;
}
