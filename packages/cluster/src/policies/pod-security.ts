import { type Container, containersOf, type Workload, workloadsOf } from '../manifests/manifest.js';
import type { Policy } from './policy.js';

type Fault = (container: Container, workload: Workload) => string | undefined;

/** A rule for every container there is. */
function everyContainer(fault: Fault): Policy {
  return (manifests) =>
    workloadsOf(manifests).flatMap((workload) =>
      containersOf(workload).flatMap((container) => {
        const found = fault(container, workload);
        return found === undefined ? [] : [`${workload.name}/${container.name}: ${found}`];
      }),
    );
}

const VERSIONED = /^[\w./-]+(?::[0-9]+\/[\w./-]+)?(?::v?\d[\w.+-]*|@sha256:[0-9a-f]{64})$/;

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
      .filter(
        ({ pod }) =>
          pod.hostNetwork || pod.hostPID || pod.volumes?.some(({ hostPath }) => hostPath !== undefined),
      )
      .map(({ name }) => name),
  'every container has requests and limits': everyContainer(({ resources }) => {
    const missing = (['requests', 'limits'] as const).flatMap((bound) =>
      ['cpu', 'memory'].filter((kind) => !resources?.[bound]?.[kind]).map((kind) => `${bound}.${kind}`),
    );
    return missing.length === 0 ? undefined : `has no ${missing.join(', ')}`;
  }),
  'every volume in memory or on the node has a size': (manifests) =>
    workloadsOf(manifests).flatMap(({ name, pod }) =>
      (pod.volumes ?? [])
        .filter(({ emptyDir }) => emptyDir !== undefined && emptyDir.sizeLimit === undefined)
        .map((volume) => `${name}: ${volume.name}`),
    ),
  'every image has a version, and none is "latest"': everyContainer(({ image }) =>
    VERSIONED.test(image) && !image.endsWith(':latest') ? undefined : image,
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
