import { READING_MIB_MAX } from '@agentclash/pack-registry';
import { SCHEMA_CHECKS_MIB_MAX } from '@agentclash/run-orchestrator';
import { UNTRUSTED_THREADS_MIB_MAX, WORKERS_MIB_MAX } from '@agentclash/sandbox-executor';
import { isMounted } from '../environment/mounts.js';
import { environmentOf } from '../environment/resolve.js';
import {
  bytesOf,
  type Container,
  containersOf,
  lastingWorkloadsOf,
  type Manifest,
  MIB,
  type Workload,
  workloadsOf,
} from '../manifests/manifest.js';
import { inGateway, inMap, inService, type Policy, type Violations } from './policy.js';

const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);
/** The credentials of the bucket, where pods have no identity, and the certificate of the authority. */
const SHARED_SECRETS = new Set(['blob-store', 'agentclash-ca']);

type ServiceCheck = (container: Container, manifests: readonly Manifest[]) => string[];
/** The rest is for memory outside of the heaps: buffers, code, stacks. */
const HEAPS_SHARE_MAX = 0.8;

/** GOMEMLIMIT includes more than the heap. */
const GO_SHARE_MAX = 0.9;

/** The memory of the threads of a service, in addition to its own heap. */
const THREADS_MIB: Readonly<Record<string, (environment: Readonly<Record<string, string>>) => number>> = {
  'pack-registry': () => READING_MIB_MAX,
  'run-orchestrator': () => SCHEMA_CHECKS_MIB_MAX,
  'sandbox-executor': () => WORKERS_MIB_MAX + UNTRUSTED_THREADS_MIB_MAX,
  scoring: ({ SCORING_THREADS, SCORING_THREAD_MIB }) => Number(SCORING_THREADS) * Number(SCORING_THREAD_MIB),
};
/** Variables that name files of other pods. */
const ELSEWHERE = new Set(['SANDBOX_INSIDE_PATH']);

export const PROCESSES = {
  'every service can write temporary files': everyService(({ volumeMounts = [] }) =>
    volumeMounts.some(({ mountPath, readOnly }) => mountPath === '/tmp' && !readOnly) ? [] : ['no /tmp'],
  ),
  'every service listens on all addresses at the ports that its pod declares': everyService(
    (container, manifests) => {
      const { values } = environmentOf(manifests, container);
      return (container.ports ?? [])
        .map(({ name = '', containerPort }) => ({
          listener: name.toUpperCase(),
          port: String(containerPort),
        }))
        .filter(({ listener, port }) => {
          return values[`${listener}_PORT`] !== port || !ALL_ADDRESSES.has(values[`${listener}_HOST`] ?? '');
        })
        .map(({ listener, port }) => `${listener} at ${port}`);
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
  'the heaps of a service and its threads stay below its memory limit with a margin': (manifests) =>
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
  'the heap of a NATS server stays below its memory limit with a margin': (manifests) =>
    lastingWorkloadsOf(manifests)
      .filter(({ name }) => name === 'nats')
      .flatMap(({ name, pod }) => pod.containers.map((container) => ({ name, container })))
      .filter(({ container: { env = [], resources } }) => {
        const heap = env.find((variable) => variable.name === 'GOMEMLIMIT')?.value?.replace(/B$/, '');
        return !(bytesOf(heap ?? '') <= bytesOf(resources?.limits?.memory ?? '') * GO_SHARE_MAX);
      })
      .map(({ name }) => name),
  'every path in an environment variable exists in a volume of the container': (manifests) =>
    workloadsOf(manifests).flatMap((workload) =>
      containersOf(workload).flatMap((container) =>
        Object.entries(environmentOf(manifests, container).values)
          .filter(([name, value]) => value.startsWith('/') && !ELSEWHERE.has(name))
          .filter(([, value]) => !isMounted(manifests, workload.pod, { container, path: value }))
          .map(([name, value]) => `${workload.name}/${container.name}: ${name}=${value}`),
      ),
    ),
  // Without it, new volumes and files of secrets with the mode 0440 belong to root.
  'every pod with a volume of a secret or a claim has a group that can read it': (manifests) =>
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

function everyService(check: ServiceCheck): Policy {
  return (manifests) =>
    lastingServices(manifests).flatMap((workload) =>
      workload.pod.containers.flatMap((container) =>
        check(container, manifests).map((violation) => `${workload.name}: ${violation}`),
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

export const VIOLATIONS_OF_PROCESSES: Violations<typeof PROCESSES> = {
  'every service can write temporary files': inService((container) => {
    container.volumeMounts = [];
  }),
  'every service listens on all addresses at the ports that its pod declares': inMap(
    'service-settings',
    (data) => {
      data.METRICS_HOST = '127.0.0.1';
    },
  ),
  'each service and its migration have the account and the secrets of that service alone': inGateway(
    ({ pod }) => {
      pod.volumes = [{ name: 'keys', secret: { secretName: 'secrets-vault-keys' } }];
    },
  ),
  'the heaps of a service and its threads stay below its memory limit with a margin': inService(
    (container) => {
      container.resources = { limits: { memory: '400Mi' } };
    },
  ),
  'the heap of a NATS server stays below its memory limit with a margin': (manifests) => {
    const nats = workloadsOf(manifests).find(({ name }) => name === 'nats');
    for (const container of nats?.pod.containers ?? []) delete container.env;
  },
  'every path in an environment variable exists in a volume of the container': [
    inService((container) => {
      container.env = [{ name: 'BLOB_SPOOL_FOLDER', value: '/spool' }];
    }),
    inService((container) => {
      container.env = [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/agentclash/ca/authority.crt' }];
    }),
    (manifests) => {
      const metadata = { name: 'agentclash-ca' };
      manifests.push({ apiVersion: 'v1', kind: 'Secret', metadata, data: { 'authority.crt': '' } });
    },
  ],
  'every pod with a volume of a secret or a claim has a group that can read it': inGateway(({ pod }) => {
    delete pod.securityContext?.fsGroup;
  }),
};
