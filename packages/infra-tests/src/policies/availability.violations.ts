import type { Manifest } from '../manifests/manifest.js';
import type { AVAILABILITY } from './availability.js';
import { inGateway, inObject, inService, type Violations } from './violation.js';

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
