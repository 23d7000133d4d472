import { environmentOf } from '../environment/resolve.js';
import { ofKind } from '../manifests/kinds.js';
import { type Manifest, workloadsOf } from '../manifests/manifest.js';
import { scalersOf } from '../manifests/scalers.js';
import { SANDBOXES } from './namespaces.js';
import type { Policy } from './policy.js';

const EXECUTOR = 'sandbox-executor';

export const SCALING = {
  'every scaler is the only one of a deployment': (manifests) =>
    scalersOf(manifests)
      .filter(({ target: { apiVersion, kind, name } }, _, all) => {
        const others = all.filter(({ target }) => target.name === name);
        return apiVersion !== 'apps/v1' || kind !== 'Deployment' || others.length !== 1;
      })
      .map(({ name }) => name),
  'every scaler has a least number of pods above none, and a most that is not below it': (manifests) =>
    scalersOf(manifests)
      .filter(({ replicasMin, replicasMax }) => replicasMin < 1 || replicasMin > replicasMax)
      .map(({ name }) => name),
  'every scaler follows the queues of what it scales': (manifests) =>
    scalersOf(manifests).flatMap(({ target, consumers }) =>
      consumers
        .filter((consumer) => !consumer.startsWith(`${target.name}-`))
        .map((consumer) => `${target.name}: ${consumer}`),
    ),
  'there is room for the sandboxes of as many executors as there may be': (manifests) => {
    const needed = executorsMax(manifests) * sandboxesOfOne(manifests);
    return ofKind(manifests, 'ResourceQuota')
      .filter(({ metadata, spec }) => metadata.namespace === SANDBOXES && !(Number(spec.hard.pods) >= needed))
      .map(({ spec }) => `${spec.hard.pods} of ${needed}`);
  },
} satisfies Record<string, Policy>;

function executorsMax(manifests: readonly Manifest[]): number {
  const scaler = scalersOf(manifests).find(({ target }) => target.name === EXECUTOR);
  const deployment = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === EXECUTOR);
  return scaler?.replicasMax ?? deployment?.spec.replicas ?? 1;
}

function sandboxesOfOne(manifests: readonly Manifest[]): number {
  const [container] = workloadsOf(manifests).find(({ name }) => name === EXECUTOR)?.pod.containers ?? [];
  return Number(container && environmentOf(manifests, container).values.SANDBOX_MAX_CONCURRENT);
}
