import { ofKind } from './kinds.js';
import type { Manifest } from './manifest.js';

/** What changes the number of a workload's pods, by KEDA or by the cluster itself. */
export interface Scaler {
  name: string;
  target: { apiVersion: string; kind: string; name: string };
  replicasMin: number;
  replicasMax: number;
  /** Of the queues that it follows. */
  consumers: string[];
}

export function scalersOf(manifests: readonly Manifest[]): Scaler[] {
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
