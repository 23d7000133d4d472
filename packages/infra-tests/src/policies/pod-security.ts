import { containersOf, workloadsOf } from '../manifests/manifest.js';
import { everyContainer } from './every-container.js';
import type { Policy } from './policy.js';

const NAME = '[\\w./-]+(?::[0-9]+/[\\w./-]+)?';
/** Down to the last part, which says what was mended; versions of PostgreSQL have two. */
const WHOLE = String.raw`:v?\d+\.\d+\.\d+[\w.+-]*|@sha256:[0-9a-f]{64}|(?<=postgres):\d+\.\d+[\w.+-]*`;
const VERSIONED = new RegExp(`^${NAME}(?:${WHOLE})$`);

export const POD_SECURITY = {
  'no container runs as root': everyContainer(({ securityContext }, { pod }) => {
    const user = securityContext?.runAsUser ?? pod.securityContext?.runAsUser ?? 0;
    const isRefused = securityContext?.runAsNonRoot ?? pod.securityContext?.runAsNonRoot ?? false;
    return user > 0 && isRefused ? undefined : 'must run as a user of a number above 0';
  }),
  'no root file system can be written': everyContainer(({ securityContext }) =>
    securityContext?.readOnlyRootFilesystem ? undefined : 'its root file system can be written',
  ),
  'no container has or gains a privilege': everyContainer(({ securityContext: own }, { pod }) => {
    if (own?.privileged || own?.capabilities?.add) return 'has privileges';
    if (own?.allowPrivilegeEscalation !== false) return 'may gain privileges';
    if (!own.capabilities?.drop?.includes('ALL')) return 'keeps capabilities';
    const seccomp = own.seccompProfile ?? pod.securityContext?.seccompProfile;
    return seccomp?.type === 'RuntimeDefault' ? undefined : 'has no system call filter';
  }),
  'no pod sees its node': (manifests) =>
    workloadsOf(manifests)
      .filter(({ pod: { hostNetwork, hostPID, hostIPC, volumes = [], ...pod } }) => {
        const opened = [...(pod.initContainers ?? []), ...pod.containers].flatMap(({ ports = [] }) => ports);
        return (
          hostNetwork ||
          hostPID ||
          hostIPC ||
          volumes.some(({ hostPath }) => hostPath !== undefined) ||
          opened.some(({ hostPort }) => hostPort !== undefined)
        );
      })
      .map(({ name }) => name),
  'every image has a whole version, or a digest': everyContainer(({ image }) =>
    VERSIONED.test(image) ? undefined : image,
  ),
  'all images of ours are of one version': (manifests) => {
    const ours = workloadsOf(manifests)
      .flatMap(containersOf)
      .map(({ image }) => image)
      .filter((image) => /(^|\/)agentclash\//.test(image));
    const versions = new Set(ours.map((image) => image.slice(image.lastIndexOf(':') + 1)));
    return versions.size === 1 ? [] : [...versions];
  },
} satisfies Record<string, Policy>;
