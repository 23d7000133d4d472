import { environmentOf } from '../environment/resolve.js';
import { ofKind } from '../manifests/kinds.js';
import {
  type Container,
  type EnvVar,
  lastingWorkloadsOf,
  type Manifest,
  type Workload,
} from '../manifests/manifest.js';
import type { Policy } from './policy.js';

const MIB = 1 << 20;
const UNITS: Readonly<Record<string, number>> = { Mi: MIB, Gi: 1024 * MIB };
/** The rest is for what lies outside of the heap: buffers, code, threads. */
const HEAP_SHARE_MAX = 0.8;
/** How long a service waits for its bus to come up. */
const START_SECONDS_MIN = 120;
const LOG_KEPT_SECONDS_MIN = 600;
/** Files of other pods. */
const ELSEWHERE = new Set(['SANDBOX_INSIDE_PATH']);
/** The bucket's, where pods have no identity there. */
const SHARED_SECRET = 'blob-store';

type Fault = (container: Container, manifests: readonly Manifest[]) => string[];

export const PROCESSES = {
  'the heap of a service leaves room below its limit of memory': everyService((container, manifests) => {
    const { NODE_OPTIONS = '' } = environmentOf(manifests, container).values;
    const [, heapMib] = /--max-old-space-size=(\d+)/.exec(NODE_OPTIONS) ?? [];
    const limit = bytesOf(container.resources?.limits?.memory ?? '');
    return Number(heapMib) * MIB <= limit * HEAP_SHARE_MAX ? [] : [`${heapMib} MiB of ${limit / MIB}`];
  }),
  'every service can write temporary files': everyService(({ volumeMounts = [] }) =>
    volumeMounts.some(({ mountPath, readOnly }) => mountPath === '/tmp' && !readOnly) ? [] : ['no /tmp'],
  ),
  'every file and folder that a setting names is in a volume': everyService((container, manifests) => {
    const mounts = (container.volumeMounts ?? []).map(({ mountPath }) => mountPath);
    return Object.entries(environmentOf(manifests, container).values)
      .filter(([name, value]) => value.startsWith('/') && !ELSEWHERE.has(name))
      .filter(([, value]) => !mounts.some((mount) => `${value}/`.startsWith(`${mount}/`)))
      .map(([name, value]) => `${name}=${value}`);
  }),
  'a service has minutes to find its bus before it is started anew': everyService(({ startupProbe }) => {
    const seconds = (startupProbe?.periodSeconds ?? 10) * (startupProbe?.failureThreshold ?? 3);
    return seconds >= START_SECONDS_MIN ? [] : [`${seconds} s`];
  }),
  'the log of a migration that failed can be read': (manifests) =>
    ofKind(manifests, 'Job')
      .filter(
        ({ spec: { ttlSecondsAfterFinished = 0, template } }) =>
          // Otherwise its pods go with the last try.
          template.spec.restartPolicy !== 'Never' || ttlSecondsAfterFinished < LOG_KEPT_SECONDS_MIN,
      )
      .map(({ metadata }) => metadata.name),
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

function bytesOf(quantity: string): number {
  const [, number, unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}
