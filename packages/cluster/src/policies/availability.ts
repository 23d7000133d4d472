import { ofKind } from '../manifests/kinds.js';
import { selects } from '../manifests/labels.js';
import { lastingWorkloadsOf, type Manifest, workloadsOf } from '../manifests/manifest.js';
import type { Policy } from './policy.js';

/** How long a service may take to stop; the kit ends it then. */
const STOP_SECONDS_MAX = 60;
/** How long a lease lasts. */
const LEASE_SECONDS = 45;

const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;

export const AVAILABILITY = {
  'whatever lasts has all probes': (manifests) =>
    lastingWorkloadsOf(manifests).flatMap(({ name, pod }) =>
      pod.containers.flatMap((container) =>
        PROBES.filter((probe) => container[probe] === undefined).map((probe) => `${name}: no ${probe}`),
      ),
    ),
  'services are asked for their life and their readiness, each at its own door': (manifests) =>
    services(manifests).flatMap(({ name, pod: { containers } }) =>
      containers
        .filter(
          ({ livenessProbe, readinessProbe }) =>
            livenessProbe?.httpGet?.path !== '/healthz' || readinessProbe?.httpGet?.path !== '/readyz',
        )
        .map(() => name),
    ),
  'a service gets longer to stop than it may take, and than a lease': (manifests) =>
    services(manifests).flatMap(({ name, pod }) => {
      const grace = pod.terminationGracePeriodSeconds ?? 30;
      const before = Math.max(
        0,
        ...pod.containers.map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds ?? 0),
      );
      const needed = Math.max(before + STOP_SECONDS_MAX, LEASE_SECONDS);
      return grace > needed ? [] : [`${name}: ${grace} s, but ${needed} s may be needed`];
    }),
  'a roll-out takes nothing away before its successor is ready': (manifests) =>
    ofKind(manifests, 'Deployment').flatMap(({ metadata, spec: { strategy } }) => {
      const isSafe = strategy?.type === 'RollingUpdate' && strategy.rollingUpdate?.maxUnavailable === 0;
      return isSafe ? [] : [metadata.name];
    }),
  'each disruption budget is for one workload, and lets nodes be drained': (manifests) =>
    ofKind(manifests, 'PodDisruptionBudget').flatMap(({ metadata, spec }) => {
      const { selector, maxUnavailable } = spec;
      const covered = workloadsOf(manifests).filter(({ podLabels }) => selects(selector, podLabels));
      if (covered.length !== 1) return [`${metadata.name}: ${covered.map(({ name }) => name).join(', ')}`];
      return maxUnavailable === undefined || maxUnavailable === 0
        ? [`${metadata.name}: no node can be drained`]
        : [];
    }),
  'every service has a disruption budget and is spread over nodes and zones': (manifests) =>
    services(manifests).flatMap(({ name, podLabels, pod }) => {
      const budgets = ofKind(manifests, 'PodDisruptionBudget').filter(({ spec }) =>
        selects(spec.selector, podLabels),
      );
      return budgets.length === 1 && pod.topologySpreadConstraints?.length === 2 ? [] : [name];
    }),
  'what holds state or decides comes before executors': (manifests) => {
    const values = new Map(
      ofKind(manifests, 'PriorityClass').map(({ metadata, value }) => [metadata.name, value]),
    );
    const priorityOf = (name: string | undefined) => values.get(name ?? '') ?? 0;
    const executor = lastingWorkloadsOf(manifests).find(({ name }) => name === 'sandbox-executor');
    return lastingWorkloadsOf(manifests)
      .filter(({ name }) => name !== 'sandbox-executor')
      .filter(({ pod }) => priorityOf(pod.priorityClassName) <= priorityOf(executor?.pod.priorityClassName))
      .map(({ name }) => name);
  },
} satisfies Record<string, Policy>;

function services(manifests: readonly Manifest[]) {
  return lastingWorkloadsOf(manifests).filter(({ kind }) => kind === 'Deployment');
}
