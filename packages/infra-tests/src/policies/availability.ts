import { environmentOf } from '../environment/resolve.js';
import { LabelSelector, ofKind, selects } from '../manifests/kinds.js';
import { lastingWorkloadsOf, type Manifest, type Workload, workloadsOf } from '../manifests/manifest.js';
import { SANDBOXES } from './access.js';
import { inGateway, inObject, inService, type Policy, type Violations } from './policy.js';

/** How long a service may take to stop before the service kit ends it. */
const STOP_SECONDS_MAX = 60;
/** The default lease. */
const LEASE_SECONDS = 45;
/** How long load balancers may take to remove a pod that terminates. */
const BALANCERS_SECONDS = 10;
const SPREAD_OVER = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];
/** The share of pods that may be unavailable where there are many, as of executors. */
const PERCENT_UNAVAILABLE_MAX = 25;
const NAME = 'app.kubernetes.io/name';
const EXECUTOR = 'sandbox-executor';
/** An agent's sandbox, and that of its grading: pods of each may wait. */
const KINDS_OF_ATTEMPTS = 2;

export const AVAILABILITY = {
  'the grace period of a service exceeds its longest shutdown and the lease': (manifests) =>
    services(manifests).flatMap(({ name, pod }) => {
      const grace = pod.terminationGracePeriodSeconds ?? 30;
      const before = Math.max(
        0,
        ...pod.containers.map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds ?? 0),
      );
      const needed = Math.max(before + STOP_SECONDS_MAX, leaseSecondsOf(manifests));
      return grace > needed ? [] : [`${name}: ${grace} s, but ${needed} s may be needed`];
    }),
  'a gateway keeps serving until load balancers have removed it': (manifests) =>
    services(manifests)
      .filter(({ name, pod: { containers } }) => {
        const seconds = containers[0]?.lifecycle?.preStop?.sleep?.seconds ?? 0;
        return name === 'gateway' && seconds < BALANCERS_SECONDS;
      })
      .map(({ name }) => name),
  'a roll-out stops no pod before its replacement is ready': (manifests) =>
    ofKind(manifests, 'Deployment').flatMap(({ metadata, spec: { strategy } }) => {
      const { maxUnavailable, maxSurge } = strategy?.rollingUpdate ?? {};
      const isSafe = strategy?.type === 'RollingUpdate' && maxUnavailable === 0 && maxSurge !== 0;
      return isSafe ? [] : [metadata.name];
    }),
  'each disruption budget covers one workload and lets nodes be drained': (manifests) =>
    ofKind(manifests, 'PodDisruptionBudget').flatMap(({ metadata, spec }) => {
      const { selector, maxUnavailable } = spec;
      const covered = workloadsOf(manifests).filter(({ podLabels }) => selects(selector, podLabels));
      if (covered.length !== 1) return [`${metadata.name}: ${covered.map(({ name }) => name).join(', ')}`];
      if (maxUnavailable === undefined || maxUnavailable === 0)
        return [`${metadata.name}: no node can be drained`];
      return isFew(maxUnavailable) ? [] : [`${metadata.name}: ${maxUnavailable} may go at once`];
    }),
  'every workload of several pods has a disruption budget and spreads them over nodes and zones': (
    manifests,
  ) =>
    lastingWorkloadsOf(manifests)
      .filter(({ kind, spec }) => kind === 'Deployment' || Number(spec.replicas) > 1)
      .flatMap((workload) => {
        const budgets = ofKind(manifests, 'PodDisruptionBudget').filter(({ spec }) =>
          selects(spec.selector, workload.podLabels),
        );
        const missing = SPREAD_OVER.filter((topology) => !isSpreadOver(workload, topology));
        return [...(budgets.length === 1 ? [] : ['budget']), ...missing].map(
          (what) => `${workload.name}: ${what}`,
        );
      }),
  'stateful workloads and the other services have a higher priority than executors': (manifests) => {
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
  'executors preempt no pod, and no priority class is the default of the cluster': (manifests) =>
    ofKind(manifests, 'PriorityClass')
      .filter(
        ({ metadata, globalDefault, preemptionPolicy }) =>
          globalDefault || (metadata.name === 'agentclash-execution' && preemptionPolicy !== 'Never'),
      )
      .map(({ metadata }) => metadata.name),
  'every deployment has at most one scaler': (manifests) =>
    scalersOf(manifests)
      .filter(({ target: { apiVersion, kind, name } }, _, all) => {
        const others = all.filter(({ target }) => target.name === name);
        return apiVersion !== 'apps/v1' || kind !== 'Deployment' || others.length !== 1;
      })
      .map(({ name }) => name),
  'every scaler has a minimum of at least one pod and a maximum that is not below it': (manifests) =>
    scalersOf(manifests)
      .filter(({ replicasMin, replicasMax }) => replicasMin < 1 || replicasMin > replicasMax)
      .map(({ name }) => name),
  'every scaler follows the queues of the deployment that it scales': (manifests) =>
    scalersOf(manifests).flatMap(({ target, consumers }) =>
      consumers
        .filter((consumer) => !consumer.startsWith(`${target.name}-`))
        .map((consumer) => `${target.name}: ${consumer}`),
    ),
  'the quota allows the sandboxes of the largest number of executors': (manifests) => {
    const needed = executorsMax(manifests) * sandboxesOfOne(manifests);
    return ofKind(manifests, 'ResourceQuota')
      .filter(({ metadata, spec }) => metadata.namespace === SANDBOXES && !(Number(spec.hard.pods) >= needed))
      .map(({ spec }) => `${spec.hard.pods} of ${needed}`);
  },
} satisfies Record<string, Policy>;

function isFew(pods: number | string): boolean {
  return typeof pods === 'number' ? pods === 1 : Number.parseInt(pods, 10) <= PERCENT_UNAVAILABLE_MAX;
}

/** True when the pods of a workload are spread independently of the pods of other workloads. */
function isSpreadOver({ pod, podLabels }: Workload, topology: string): boolean {
  const found = pod.topologySpreadConstraints?.find(({ topologyKey }) => topologyKey === topology);
  if (found === undefined) return false;
  const selector = LabelSelector.parse(found.labelSelector);
  const isOwn = selector.matchLabels[NAME] !== undefined || found.matchLabelKeys?.includes(NAME);
  return isOwn === true && selects(selector, podLabels);
}

function leaseSecondsOf(manifests: readonly Manifest[]): number {
  const [container] =
    workloadsOf(manifests).find(({ name }) => name === 'run-orchestrator')?.pod.containers ?? [];
  const set = container && environmentOf(manifests, container).values.LEASE_MS;
  return set === undefined ? LEASE_SECONDS : Number(set) / 1_000;
}

function services(manifests: readonly Manifest[]) {
  return lastingWorkloadsOf(manifests).filter(({ kind }) => kind === 'Deployment');
}

function executorsMax(manifests: readonly Manifest[]): number {
  const scaler = scalersOf(manifests).find(({ target }) => target.name === EXECUTOR);
  const deployment = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === EXECUTOR);
  return scaler?.replicasMax ?? deployment?.spec.replicas ?? 1;
}

function sandboxesOfOne(manifests: readonly Manifest[]): number {
  const [container] = workloadsOf(manifests).find(({ name }) => name === EXECUTOR)?.pod.containers ?? [];
  if (container === undefined) return Number.NaN;
  const { SANDBOX_MAX_CONCURRENT: used, SANDBOX_POD_POOL: waiting = 0 } = environmentOf(
    manifests,
    container,
  ).values;
  return Number(used) + KINDS_OF_ATTEMPTS * Number(waiting);
}

/** A scaler of the pods of a workload, of KEDA or of Kubernetes. */
interface Scaler {
  name: string;
  target: { apiVersion: string; kind: string; name: string };
  replicasMin: number;
  replicasMax: number;
  /** The consumers of the queues that it follows. */
  consumers: string[];
}

function scalersOf(manifests: readonly Manifest[]): Scaler[] {
  return [
    ...ofKind(manifests, 'ScaledObject').map(({ metadata, spec }) => ({
      name: metadata.name,
      target: spec.scaleTargetRef,
      replicasMin: spec.minReplicaCount,
      replicasMax: spec.maxReplicaCount,
      consumers: spec.triggers.flatMap((trigger) => trigger.metadata.consumer ?? []),
    })),
    ...ofKind(manifests, 'HorizontalPodAutoscaler').map(({ metadata, spec }) => ({
      name: metadata.name,
      target: spec.scaleTargetRef,
      replicasMin: spec.minReplicas,
      replicasMax: spec.maxReplicas,
      consumers: spec.metrics.flatMap(({ external }) => external?.metric.selector.matchLabels.consumer ?? []),
    })),
  ];
}

const OF_EXECUTORS = 'sandbox-executor-job_execution_v1_execute';

export const VIOLATIONS_OF_AVAILABILITY: Violations<typeof AVAILABILITY> = {
  'the grace period of a service exceeds its longest shutdown and the lease': inGateway(({ pod }) => {
    pod.terminationGracePeriodSeconds = 30;
  }),
  'a gateway keeps serving until load balancers have removed it': inService((container) => {
    delete container.lifecycle;
  }),
  'a roll-out stops no pod before its replacement is ready': inGateway(({ spec }) => {
    spec.strategy = { type: 'Recreate' };
  }),
  'each disruption budget covers one workload and lets nodes be drained': inObject(
    'PodDisruptionBudget',
    ({ spec }) => {
      if (spec) spec.selector = { matchLabels: { 'app.kubernetes.io/part-of': 'agentclash' } };
    },
  ),
  'every workload of several pods has a disruption budget and spreads them over nodes and zones': inGateway(
    ({ pod }) => {
      for (const constraint of pod.topologySpreadConstraints ?? []) delete constraint.matchLabelKeys;
    },
  ),
  'stateful workloads and the other services have a higher priority than executors': inGateway(({ pod }) => {
    pod.priorityClassName = 'agentclash-execution';
  }),
  'executors preempt no pod, and no priority class is the default of the cluster': inObject(
    'PriorityClass',
    (priority) => {
      priority.globalDefault = true;
    },
  ),
  'every deployment has at most one scaler': [
    inObject('HorizontalPodAutoscaler', ({ spec }) => {
      if (spec) spec.scaleTargetRef = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'gateway' };
    }),
    inObject('HorizontalPodAutoscaler', ({ spec }) => {
      if (spec) spec.scaleTargetRef = { apiVersion: 'apps/v1beta1', kind: 'Deployment', name: 'gateway' };
    }),
    (manifests) => {
      manifests.push(autoscaler('gateway', OF_EXECUTORS));
    },
  ],
  'every scaler has a minimum of at least one pod and a maximum that is not below it': [
    inObject('ScaledObject', ({ spec }) => {
      if (spec) spec.maxReplicaCount = 1;
    }),
    inObject('HorizontalPodAutoscaler', ({ spec }) => {
      if (spec) spec.maxReplicas = 1;
    }),
    inObject('ScaledObject', ({ spec }) => {
      if (spec) spec.minReplicaCount = 0;
    }),
  ],
  'every scaler follows the queues of the deployment that it scales': [
    swapTargets,
    (manifests) => {
      manifests.push(autoscaler('scoring', OF_EXECUTORS));
    },
  ],
  'the quota allows the sandboxes of the largest number of executors': inObject(
    'ResourceQuota',
    ({ spec }) => {
      if (spec) spec.hard = { pods: '479' };
    },
  ),
};

function swapTargets(manifests: Manifest[]): void {
  for (const { kind, spec, metadata } of manifests) {
    if (kind === 'ScaledObject' && spec) {
      spec.scaleTargetRef = { name: metadata.name === 'scoring' ? 'sandbox-executor' : 'scoring' };
    }
  }
}

function autoscaler(target: string, consumer: string): Manifest {
  const metric = { name: 'agentclash_queue_depth', selector: { matchLabels: { consumer } } };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: target, namespace: 'agentclash' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target },
      maxReplicas: 10,
      metrics: [{ external: { metric, target: { averageValue: '1' } } }],
    },
  };
}
