import { READING_MIB_MAX } from '@agentclash/pack-registry';
import { SCHEMA_CHECKS_MIB_MAX } from '@agentclash/run-orchestrator';
import { UNTRUSTED_THREADS_MIB_MAX, WORKERS_MIB_MAX } from '@agentclash/sandbox-executor';
import { isMounted } from '../environment/mounts.js';
import { environmentOf } from '../environment/resolve.js';
import {
  type Container,
  containersOf,
  lastingWorkloadsOf,
  type Manifest,
  type Workload,
  workloadsOf,
} from '../manifests/manifest.js';
import { bytesOf, MIB } from '../manifests/quantity.js';
import type { Policy } from './policy.js';

const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);
/** The bucket's, where pods have no identity there, and the certificate of the authority. */
const SHARED_SECRETS = new Set(['blob-store', 'agentclash-ca']);

type Fault = (container: Container, manifests: readonly Manifest[]) => string[];
/** The rest is for what lies outside of the heaps: buffers, code, stacks. */
const HEAPS_SHARE_MAX = 0.8;

/** Go counts more of what it holds. */
const GO_SHARE_MAX = 0.9;

/** What the threads of a service may take besides its own heap. */
const THREADS_MIB: Readonly<Record<string, (environment: Readonly<Record<string, string>>) => number>> = {
  'pack-registry': () => READING_MIB_MAX,
  'run-orchestrator': () => SCHEMA_CHECKS_MIB_MAX,
  'sandbox-executor': () => WORKERS_MIB_MAX + UNTRUSTED_THREADS_MIB_MAX,
  scoring: ({ SCORING_THREADS, SCORING_THREAD_MIB }) => Number(SCORING_THREADS) * Number(SCORING_THREAD_MIB),
};
/** Files of other pods. */
const ELSEWHERE = new Set(['SANDBOX_INSIDE_PATH']);

export const PROCESSES = {
  'every service can write temporary files': everyService(({ volumeMounts = [] }) =>
    volumeMounts.some(({ mountPath, readOnly }) => mountPath === '/tmp' && !readOnly) ? [] : ['no /tmp'],
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
  'each service and its migration have the account and the secrets of that service alone': (manifests) =>
    workloadsOf(manifests)
      .filter(({ kind }) => kind !== 'StatefulSet')
      .flatMap((workload) => {
        const service = workload.name.replace(/^migrate-/, '');
        const foreign = secretsOf(workload).filter(
          (secret) => !secret.startsWith(`${service}-`) && !SHARED_SECRETS.has(secret),
        );
        const { serviceAccountName } = workload.pod;
        const accounts = serviceAccountName === service ? [] : [`account ${serviceAccountName}`];
        return [...accounts, ...foreign].map((what) => `${workload.name}: ${what}`);
      }),
  'the heaps of a service and its threads leave room below its limit of memory': (manifests) =>
    lastingWorkloadsOf(manifests)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ name, pod }) =>
        pod.containers.flatMap((container) => {
          const { values } = environmentOf(manifests, container);
          const [, heap] = /--max-old-space-size=(\d+)/.exec(values.NODE_OPTIONS ?? '') ?? [];
          const mib = Number(heap) + (THREADS_MIB[name]?.(values) ?? 0);
          const limit = bytesOf(container.resources?.limits?.memory ?? '');
          return mib * MIB <= limit * HEAPS_SHARE_MAX ? [] : [`${name}: ${mib} MiB of ${limit / MIB}`];
        }),
      ),
  'the heap of a NATS server leaves room below its limit of memory': (manifests) =>
    lastingWorkloadsOf(manifests)
      .filter(({ name }) => name === 'nats')
      .flatMap(({ name, pod }) => pod.containers.map((container) => ({ name, container })))
      .filter(({ container: { env = [], resources } }) => {
        const heap = env.find((variable) => variable.name === 'GOMEMLIMIT')?.value?.replace(/B$/, '');
        return !(bytesOf(heap ?? '') <= bytesOf(resources?.limits?.memory ?? '') * GO_SHARE_MAX);
      })
      .map(({ name }) => name),
  'every file and folder that a setting names is in a volume, under the name that it has there': (
    manifests,
  ) =>
    workloadsOf(manifests).flatMap((workload) =>
      containersOf(workload).flatMap((container) =>
        Object.entries(environmentOf(manifests, container).values)
          .filter(([name, value]) => value.startsWith('/') && !ELSEWHERE.has(name))
          .filter(([, value]) => !isMounted(manifests, workload.pod, { container, path: value }))
          .map(([name, value]) => `${workload.name}/${container.name}: ${name}=${value}`),
      ),
    ),
  // Files of secrets with a mode of 0440, and new volumes, are root's without it.
  'every pod that has a secret or a claim as a volume has a group to read it': (manifests) =>
    workloadsOf(manifests)
      .filter(({ pod: { volumes = [] }, spec: { volumeClaimTemplates } }) =>
        [
          volumeClaimTemplates,
          ...volumes.map((volume) => volume.secret ?? volume.persistentVolumeClaim),
        ].some((kept) => kept !== undefined),
      )
      .filter(({ pod }) => !((pod.securityContext?.fsGroup ?? 0) > 0))
      .map(({ name }) => name),
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

function secretsOf(workload: Workload): string[] {
  return [
    ...containersOf(workload).flatMap(({ env = [], envFrom = [] }) => [
      ...env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
      ...envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
    ]),
    ...(workload.pod.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []),
  ];
}
