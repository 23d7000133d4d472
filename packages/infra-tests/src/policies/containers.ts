import {
  bytesOf,
  containersOf,
  coresOf,
  lastingWorkloadsOf,
  type Probe,
  workloadsOf,
} from '../manifests/manifest.js';
import { everyContainer, inGateway, inService, type Policy, type Violations } from './policy.js';

const NAME = '[\\w./-]+(?::[0-9]+/[\\w./-]+)?';
/** With the patch number; versions of PostgreSQL have two parts. */
const WHOLE = String.raw`:v?\d+\.\d+\.\d+[\w.+-]*|@sha256:[0-9a-f]{64}|(?<=postgres):\d+\.\d+[\w.+-]*`;
const VERSIONED = new RegExp(`^${NAME}(?:${WHOLE})$`);
/** How long a service waits for the bus to start. */
const START_SECONDS_MIN = 120;
/** Longer than a garbage collection or a short overload of the node. */
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
  'no pod has access to its node': (manifests) =>
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
  'every image is named by its full version or by a digest': everyContainer(({ image }) =>
    VERSIONED.test(image) ? undefined : image,
  ),
  'all agentclash images have the same version': (manifests) => {
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
  'every emptyDir volume has a size limit': (manifests) =>
    workloadsOf(manifests).flatMap(({ name, pod }) =>
      (pod.volumes ?? [])
        .filter(({ emptyDir }) => emptyDir !== undefined && emptyDir.sizeLimit === undefined)
        .map((volume) => `${name}: ${volume.name}`),
    ),
  'no container requests more than its limit': everyContainer(({ resources }) => {
    const { requests = {}, limits = {} } = resources ?? {};
    const greater = Object.entries(requests).filter(([kind, request]) => {
      const amountOf = kind === 'cpu' ? coresOf : bytesOf;
      return !(amountOf(request) <= amountOf(limits[kind] ?? ''));
    });
    return greater.length === 0 ? undefined : greater.map(([kind]) => kind).join(', ');
  }),
  'every long-running container has all probes': (manifests) =>
    lastingWorkloadsOf(manifests).flatMap(({ name, pod }) =>
      pod.containers.flatMap((container) =>
        PROBES.filter((probe) => container[probe] === undefined).map((probe) => `${name}: no ${probe}`),
      ),
    ),
  'the probes of services use /healthz for liveness and /readyz for readiness': (manifests) =>
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
  'a service has two minutes to connect to the bus before it is restarted': (manifests) =>
    lastingWorkloadsOf(manifests)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ name, pod }) =>
        pod.containers
          .map(({ startupProbe }) => secondsOf(startupProbe))
          .filter((seconds) => seconds < START_SECONDS_MIN)
          .map((seconds) => `${name}: ${seconds} s`),
      ),
  'no container is restarted because it was unresponsive for less than 30 s': (manifests) =>
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

export const VIOLATIONS_OF_CONTAINERS: Violations<typeof CONTAINERS> = {
  'no container runs as root': inGateway(({ pod }) => {
    pod.securityContext = { ...pod.securityContext, runAsUser: 0 };
  }),
  'no root file system can be written': inService((container) => {
    container.securityContext = { ...container.securityContext, readOnlyRootFilesystem: false };
  }),
  'no container has or gains a privilege': inService((container) => {
    container.securityContext = { ...container.securityContext, capabilities: { drop: [] } };
  }),
  'no pod has access to its node': [
    inGateway(({ pod }) => {
      pod.volumes = [{ name: 'node', hostPath: {} }];
    }),
    inGateway(({ pod }) => {
      pod.hostIPC = true;
    }),
    inService((container) => {
      container.ports = [{ containerPort: 8080, hostPort: 80 }];
    }),
  ],
  'every image is named by its full version or by a digest': [
    'agentclash/gateway:latest',
    'nats:2',
    'postgres:18',
  ].map((image) =>
    inService((container) => {
      container.image = image;
    }),
  ),
  'all agentclash images have the same version': inService((container) => {
    container.image = 'agentclash/gateway:0.0.9';
  }),
  'every container has requests and limits': inService((container) => {
    container.resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1' } };
  }),
  'every emptyDir volume has a size limit': inGateway(({ pod }) => {
    pod.volumes = [{ name: 'tmp', emptyDir: {} }];
  }),
  'no container requests more than its limit': [
    inService((container) => {
      container.resources = { requests: { cpu: '1' }, limits: { cpu: '500m' } };
    }),
    inService((container) => {
      container.resources = { requests: { memory: '1Gi' }, limits: { memory: '512Mi' } };
    }),
  ],
  'every long-running container has all probes': inService((container) => {
    delete container.livenessProbe;
  }),
  'the probes of services use /healthz for liveness and /readyz for readiness': [
    inService((container) => {
      container.livenessProbe = { httpGet: { path: '/readyz', port: 'health' } };
    }),
    inService((container) => {
      container.startupProbe = { httpGet: { path: '/readyz', port: 'health' } };
    }),
  ],
  'a service has two minutes to connect to the bus before it is restarted': inService(({ startupProbe }) => {
    if (startupProbe) startupProbe.failureThreshold = 3;
  }),
  'no container is restarted because it was unresponsive for less than 30 s': inService(
    ({ livenessProbe }) => {
      if (livenessProbe) livenessProbe.failureThreshold = 2;
    },
  ),
};
