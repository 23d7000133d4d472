import type { DiskSizes } from '../bubblewrap/arguments.js';
import type { PoolOptions } from '../remote/pool.js';
import type { BuilderOptions } from './build-job.js';
import type { ApiAccess } from './config.js';
import type { DirectoriesClaim } from './directories-claim.js';

export interface KubernetesOptions extends Partial<DiskSizes> {
  /** Where sandboxes live; nothing else should. */
  namespace: string;
  /** The image of commands; needs `/bin/sh` and the programs that packs use. */
  image: string;
  /** An image that holds the process inside, and where in it. */
  insideImage: string;
  insidePath: string;
  /** The owner of the sandboxes of this process: stable over its restarts, unique among live ones. */
  owner: string;
  /** Registered images: name to image. */
  templates?: Readonly<Record<string, string>> | undefined;
  /** Such as `gvisor` or `kata`. */
  runtimeClassName?: string | undefined;
  /**
   * Images may run as root also where a pod has neither a user namespace nor a kernel of its own: root of the container is
   * that of the node then, without its capabilities.
   */
  allowsRootOfNode?: boolean | undefined;
  /** True when that runtime gives sandboxes a kernel of their own. */
  isStronglyIsolated?: boolean | undefined;
  /** Pods get user namespaces: the limit of processes is each sandbox's own then. */
  hasUserNamespaces?: boolean | undefined;
  /**
   * Each pod gets a uid of this range: the limit of processes, and what else the kernel counts by user, is each
   * sandbox's own then, also without user namespaces. Default: all run as 1000.
   */
  uids?: { first: number; last: number } | undefined;
  /** The part of its CPU limit that a pod reserves on its node. Default 1: a sandbox has what it may use. */
  cpuRequestShare?: number | undefined;
  /** The volume claim with the directories of the host that sandboxes may have. Default: they have none. */
  directories?: DirectoriesClaim | undefined;
  /** `sandboxes`: pods are made by the controller of `agents.x-k8s.io`. Default `pods`. */
  objects?: 'pods' | 'sandboxes' | undefined;
  /** Jobs that build Dockerfiles. Default: none are built. */
  builds?: BuilderOptions | undefined;
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  nodeSelector?: Readonly<Record<string, string>>;
  tolerations?: readonly object[];
  /** Default: no pod waits for a sandbox. Pods that wait reserve what those of sandboxes do. */
  pool?: Partial<PoolOptions> | undefined;
  /** Maximum time until a pod runs, image pull included. Default 120 s. */
  startTimeoutMs?: number;
  reapEveryMs?: number;
  /** Default: that of the pod this process runs in. */
  access?: ApiAccess | undefined;
  onProblem?: ((message: string, cause?: unknown) => void) | undefined;
}
