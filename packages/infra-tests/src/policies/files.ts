import { isMounted } from '../environment/mounts.js';
import { environmentOf } from '../environment/resolve.js';
import { containersOf, workloadsOf } from '../manifests/manifest.js';
import type { Policy } from './policy.js';

/** Files of other pods. */
const ELSEWHERE = new Set(['SANDBOX_INSIDE_PATH']);

export const FILES = {
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
