import { workloadsOf } from '../manifests/manifest.js';
import { bytesOf, coresOf } from '../manifests/quantity.js';
import { everyContainer } from './every-container.js';
import type { Policy } from './policy.js';

export const RESOURCES = {
  'every container has requests and limits': everyContainer(({ resources }) => {
    const missing = (['requests', 'limits'] as const).flatMap((bound) =>
      ['cpu', 'memory'].filter((kind) => !resources?.[bound]?.[kind]).map((kind) => `${bound}.${kind}`),
    );
    return missing.length === 0 ? undefined : `has no ${missing.join(', ')}`;
  }),
  'every volume in memory or on the node has a size': (manifests) =>
    workloadsOf(manifests).flatMap(({ name, pod }) =>
      (pod.volumes ?? [])
        .filter(({ emptyDir }) => emptyDir !== undefined && emptyDir.sizeLimit === undefined)
        .map((volume) => `${name}: ${volume.name}`),
    ),
  'no container asks for more than it may have': everyContainer(({ resources }) => {
    const { requests = {}, limits = {} } = resources ?? {};
    const greater = Object.entries(requests).filter(([kind, request]) => {
      const amountOf = kind === 'cpu' ? coresOf : bytesOf;
      return !(amountOf(request) <= amountOf(limits[kind] ?? ''));
    });
    return greater.length === 0 ? undefined : greater.map(([kind]) => kind).join(', ');
  }),
} satisfies Record<string, Policy>;
