import { environmentOf } from '../environment/resolve.js';
import {
  type Container,
  containersOf,
  type EnvVar,
  lastingWorkloadsOf,
  type Manifest,
  type Workload,
  workloadsOf,
} from '../manifests/manifest.js';
import type { Policy } from './policy.js';

/** How long a service waits for its bus to come up. */
const START_SECONDS_MIN = 120;
/** Files of other pods. */
const ELSEWHERE = new Set(['SANDBOX_INSIDE_PATH']);
const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);
/** The bucket's, where pods have no identity there. */
const SHARED_SECRET = 'blob-store';

type Fault = (container: Container, manifests: readonly Manifest[]) => string[];

export const PROCESSES = {
  'every service can write temporary files': everyService(({ volumeMounts = [] }) =>
    volumeMounts.some(({ mountPath, readOnly }) => mountPath === '/tmp' && !readOnly) ? [] : ['no /tmp'],
  ),
  'every file and folder that a setting names is in a volume': (manifests) =>
    workloadsOf(manifests).flatMap((workload) =>
      containersOf(workload).flatMap((container) => {
        const mounts = (container.volumeMounts ?? []).map(({ mountPath }) => mountPath);
        return Object.entries(environmentOf(manifests, container).values)
          .filter(([name, value]) => value.startsWith('/') && !ELSEWHERE.has(name))
          .filter(([, value]) => !mounts.some((mount) => `${value}/`.startsWith(`${mount}/`)))
          .map(([name, value]) => `${workload.name}/${container.name}: ${name}=${value}`);
      }),
    ),
  'every service listens, for all to reach, at the ports that its pod opens': everyService(
    (container, manifests) => {
      const { values } = environmentOf(manifests, container);
      return (container.ports ?? [])
        .map(({ name = '', containerPort }) => ({ door: name.toUpperCase(), port: String(containerPort) }))
        .filter(({ door, port }) => {
          return values[`${door}_PORT`] !== port || !ALL_ADDRESSES.has(values[`${door}_HOST`] ?? '');
        })
        .map(({ door, port }) => `${door} at ${port}`);
    },
  ),
  'a service has minutes to find its bus before it is started anew': everyService(({ startupProbe }) => {
    const seconds = (startupProbe?.periodSeconds ?? 10) * (startupProbe?.failureThreshold ?? 3);
    return seconds >= START_SECONDS_MIN ? [] : [`${seconds} s`];
  }),
  'each service has an account and secrets of its own': (manifests) =>
    lastingServices(manifests).flatMap(({ name, pod }) => {
      const foreign = pod.containers
        .flatMap(({ env = [] }) => env.flatMap(secretOf))
        .filter((secret) => !secret.startsWith(`${name}-`) && secret !== SHARED_SECRET);
      const accounts = pod.serviceAccountName === name ? [] : [`account ${pod.serviceAccountName}`];
      return [...accounts, ...foreign].map((what) => `${name}: ${what}`);
    }),
} satisfies Record<string, Policy>;

function everyService(faults: Fault): Policy {
  return (manifests) =>
    lastingServices(manifests).flatMap((workload) =>
      workload.pod.containers.flatMap((container) =>
        faults(container, manifests).map((fault) => `${workload.name}: ${fault}`),
      ),
    );
}

function lastingServices(manifests: readonly Manifest[]): Workload[] {
  return lastingWorkloadsOf(manifests).filter(({ kind }) => kind === 'Deployment');
}

function secretOf({ valueFrom }: EnvVar): string[] {
  return valueFrom?.secretKeyRef === undefined ? [] : [valueFrom.secretKeyRef.name];
}
