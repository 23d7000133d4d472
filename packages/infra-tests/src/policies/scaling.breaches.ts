import type { Manifest } from '../manifests/manifest.js';
import { type Breaches, inObject } from './breach.js';
import type { SCALING } from './scaling.js';

const OF_EXECUTORS = 'sandbox-executor-job_execution_v1_execute';

export const BREACHES_OF_SCALING: Breaches<typeof SCALING> = {
  'every scaler is the only one of a deployment': [
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
  'every scaler has a least number of pods above none, and a most that is not below it': [
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
  'every scaler follows the queues of what it scales': [
    swapTargets,
    (manifests) => {
      manifests.push(autoscaler('scoring', OF_EXECUTORS));
    },
  ],
  'there is room for the sandboxes of as many executors as there may be': inObject(
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
