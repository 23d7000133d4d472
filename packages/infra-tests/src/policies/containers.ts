import { containersOf, lastingWorkloadsOf, type Probe, workloadsOf } from '../manifests/manifest.js';
import { bytesOf, coresOf } from '../manifests/quantity.js';
import type { Policy } from './policy.js';
import { everyContainer } from './policy.js';

const NAME = '[\\w./-]+(?::[0-9]+/[\\w./-]+)?';
/** Down to the last part, which says what was mended; versions of PostgreSQL have two. */
const WHOLE = String.raw`:v?\d+\.\d+\.\d+[\w.+-]*|@sha256:[0-9a-f]{64}|(?<=postgres):\d+\.\d+[\w.+-]*`;
const VERSIONED = new RegExp(`^${NAME}(?:${WHOLE})$`);
/** How long a service waits for its bus to come up. */
const START_SECONDS_MIN = 120;
/** A long collection of garbage, or a node that is busy for a moment, is no death. */
const SILENT_SECONDS_MIN = 30;
const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;

export const CONTAINERS = {
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
  'no container asks for more than it may have': everyContainer(({ resources }) => {
    const { requests = {}, limits = {} } = resources ?? {};
    const greater = Object.entries(requests).filter(([kind, request]) => {
      const amountOf = kind === 'cpu' ? coresOf : bytesOf;
      return !(amountOf(request) <= amountOf(limits[kind] ?? ''));
    });
    return greater.length === 0 ? undefined : greater.map(([kind]) => kind).join(', ');
  }),
  'whatever lasts has all probes': (manifests) =>
    lastingWorkloadsOf(manifests).flatMap(({ name, pod }) =>
      pod.containers.flatMap((container) =>
        PROBES.filter((probe) => container[probe] === undefined).map((probe) => `${name}: no ${probe}`),
      ),
    ),
  'services are asked for their life and their readiness, each at its own door': (manifests) =>
    lastingWorkloadsOf(manifests)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ name, pod: { containers } }) =>
        containers
          .filter(
            ({ startupProbe, livenessProbe, readinessProbe }) =>
              startupProbe?.httpGet?.path !== '/healthz' ||
              livenessProbe?.httpGet?.path !== '/healthz' ||
              readinessProbe?.httpGet?.path !== '/readyz',
          )
          .map(() => name),
      ),
  'a service has minutes to find its bus before it is started anew': (manifests) =>
    lastingWorkloadsOf(manifests)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ name, pod }) =>
        pod.containers
          .map(({ startupProbe }) => secondsOf(startupProbe))
          .filter((seconds) => seconds < START_SECONDS_MIN)
          .map((seconds) => `${name}: ${seconds} s`),
      ),
  'nothing is started anew that was silent for a moment': (manifests) =>
    lastingWorkloadsOf(manifests).flatMap(({ name, pod }) =>
      pod.containers
        .map(({ livenessProbe }) => secondsOf(livenessProbe))
        .filter((seconds) => seconds < SILENT_SECONDS_MIN)
        .map((seconds) => `${name}: ${seconds} s`),
    ),
} satisfies Record<string, Policy>;

/** How long a probe may fail. */
function secondsOf({ periodSeconds = 10, failureThreshold = 3 }: Probe = {}): number {
  return periodSeconds * failureThreshold;
}
