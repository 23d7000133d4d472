import type { SandboxCapabilities } from '../contract.js';

/** Rights that an image of a pack has, or lacks, and how that is changed; for `doctor`. */
export interface ImageRight {
  isOn: boolean;
  detail: string;
  /** The setting that changes it; also where it is on, for what it lacks. */
  fix?: string;
}

interface Given {
  capabilities: Pick<SandboxCapabilities, 'rootInImages' | 'imageBuilds' | 'networkInBuilds'>;
  hasUserNamespaces: boolean;
  isGvisor: boolean;
  /** A runtime other than the daemon's default, with which builds run, is set. */
  isRuntimeChosen: boolean;
}

const SETTING = 'SANDBOX_ROOT_IN_IMAGES=true';
const REMAP = 'start the daemon with "userns-remap": "default" in daemon.json (or rootless)';

/** One of root in images, one of Dockerfiles. */
export function imageRights(given: Given): ImageRight[] {
  return [rootRight(given), buildRight(given)];
}

function rootRight({ capabilities: { rootInImages: isOn }, hasUserNamespaces, isGvisor }: Given): ImageRight {
  if (isOn) return { isOn, detail: `root in images: on, ${reasonOf({ hasUserNamespaces, isGvisor })}` };
  const detail = isGvisor
    ? 'root in images: off, on gVisor it could forge what the process inside reports'
    : 'root in images: off, it would be root of the machine of the daemon';
  const fix = isGvisor ? `set ${SETTING} where packs are trusted` : `${REMAP}, or set ${SETTING}`;
  return { isOn, detail, fix };
}

function buildRight({
  capabilities: { imageBuilds: isOn, networkInBuilds },
  hasUserNamespaces,
  isGvisor,
  isRuntimeChosen,
}: Given): ImageRight {
  if (isOn) {
    const network = networkInBuilds
      ? 'with the network of the machine where a pack requires it'
      : 'no network';
    const detail = `Dockerfiles: on, ${reasonOf({ hasUserNamespaces, isGvisor: isGvisor && !isRuntimeChosen })}; ${network}`;
    return { isOn, detail, ...(!networkInBuilds && { fix: 'SANDBOX_BUILD_NETWORK=host gives them one' }) };
  }
  const detail = 'Dockerfiles: off, the root of their steps would be that of the machine of the daemon';
  return { isOn, detail, fix: `${REMAP}, or set ${SETTING}` };
}

function reasonOf({ hasUserNamespaces, isGvisor }: Pick<Given, 'hasUserNamespaces' | 'isGvisor'>): string {
  if (hasUserNamespaces) return 'root is an ordinary user of the machine (user namespaces of the daemon)';
  if (isGvisor) return 'root is that of gVisor';
  return `by ${SETTING} or the runtime: without a kernel of its own it is root of the machine with few capabilities`;
}
