import { isDeepStrictEqual } from 'node:util';
import { environmentOf } from '../environment/resolve.js';
import { RUNTIME_VARIABLES } from '../environment/variables.js';
import { ofKind } from '../manifests/kinds.js';
import { type Container, type Manifest, workloadsOf } from '../manifests/manifest.js';
import type { Policy } from './policy.js';

const LOG_KEPT_SECONDS_MIN = 600;
const DATABASE = 'DATABASE_URL';
const ARGO = 'argocd.argoproj.io';
/** A job cannot be changed: what lets those who apply put the next in place of the last. */
const REPLACED = {
  [`${ARGO}/hook-delete-policy`]: 'BeforeHookCreation',
  'kustomize.toolkit.fluxcd.io/force': 'enabled',
};

export const MIGRATIONS = {
  'the log of a migration that failed can be read': (manifests) =>
    ofKind(manifests, 'Job')
      .filter(
        ({ spec: { ttlSecondsAfterFinished = 0, template } }) =>
          // Otherwise its pods go with the last try.
          template.spec.restartPolicy !== 'Never' || ttlSecondsAfterFinished < LOG_KEPT_SECONDS_MIN,
      )
      .map(({ metadata }) => metadata.name),
  'a migration is applied in one wave with the account and the secrets that it needs': (manifests) =>
    ofKind(manifests, 'Job')
      .filter(
        ({ metadata: { annotations } }) =>
          annotations[`${ARGO}/sync-wave`] !== undefined || annotations[`${ARGO}/hook`] !== 'Sync',
      )
      .map(({ metadata }) => metadata.name),
  'a migration can be applied again with the next image': (manifests) =>
    ofKind(manifests, 'Job')
      .filter(({ metadata: { annotations } }) =>
        Object.entries(REPLACED).some(([name, value]) => annotations[name] !== value),
      )
      .map(({ metadata }) => metadata.name),
  'what applies migrations, and what waits for them, is of its service: the image and the database': (
    manifests,
  ) =>
    migratingOf(manifests)
      .filter(({ container, service }) => {
        const own = workloadsOf(manifests).find(({ name }) => name === service)?.pod.containers[0];
        return own?.image !== container.image || !isDeepStrictEqual(databaseOf(own), databaseOf(container));
      })
      .map(({ place }) => place),
  'what applies migrations, and what waits for them, is told where its database is and nothing else': (
    manifests,
  ) =>
    migratingOf(manifests)
      .filter(({ container }) => {
        const { values, elsewhere } = environmentOf(manifests, container);
        const names = [...Object.keys(values), ...elsewhere.map(({ variable }) => variable)];
        const told = names.filter((name) => !RUNTIME_VARIABLES.test(name));
        return !isDeepStrictEqual(told, [DATABASE]);
      })
      .map(({ place }) => place),
} satisfies Record<string, Policy>;

interface Migrating {
  place: string;
  service: string;
  container: Container;
}

function migratingOf(manifests: readonly Manifest[]): Migrating[] {
  return workloadsOf(manifests).flatMap(({ kind, name, pod }) => {
    const containers = kind === 'Job' ? pod.containers : (pod.initContainers ?? []);
    return containers.map((container) => ({
      place: `${name}/${container.name}`,
      service: name.replace(/^migrate-/, ''),
      container,
    }));
  });
}

function databaseOf({ env = [] }: Container) {
  return env.find(({ name }) => name === DATABASE)?.valueFrom?.secretKeyRef;
}
