import { environmentOf } from '../environment/resolve.js';
import {
  type Container,
  containersOf,
  lastingWorkloadsOf,
  type Manifest,
  type Workload,
  workloadsOf,
} from '../manifests/manifest.js';
import type { Policy } from './policy.js';

const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);
/** The bucket's, where pods have no identity there, and the certificate of the authority. */
const SHARED_SECRETS = new Set(['blob-store', 'agentclash-ca']);

type Fault = (container: Container, manifests: readonly Manifest[]) => string[];

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
