import { isDeepStrictEqual } from 'node:util';
import { environmentOf } from '../environment/resolve.js';
import { RUNTIME_VARIABLES } from '../environment/variables.js';
import { ofKind } from '../manifests/kinds.js';
import { type Container, type Manifest, workloadsOf } from '../manifests/manifest.js';
import type { Policy } from './policy.js';

const LOG_KEPT_SECONDS_MIN = 600;
const DATABASE = 'DATABASE_URL';
const ARGO = 'argocd.argoproj.io';
/** A job is immutable: annotations that make Argo CD and Flux replace it. */
const REPLACED = {
  [`${ARGO}/hook-delete-policy`]: 'BeforeHookCreation',
  'kustomize.toolkit.fluxcd.io/force': 'enabled',
};

export const MIGRATIONS = {
  'the log of a failed migration is kept long enough to be read': (manifests) =>
    ofKind(manifests, 'Job')
      .filter(
        ({ spec: { ttlSecondsAfterFinished = 0, template } }) =>
          // Otherwise its pods are deleted with the last try.
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
  'containers that apply or await migrations have the image and the database of their service': (manifests) =>
    migratingOf(manifests)
      .filter(({ container, service }) => {
        const own = workloadsOf(manifests).find(({ name }) => name === service)?.pod.containers[0];
        return own?.image !== container.image || !isDeepStrictEqual(databaseOf(own), databaseOf(container));
      })
      .map(({ path }) => path),
  'containers that apply or await migrations get the address of their database and no other variable': (
    manifests,
  ) =>
    migratingOf(manifests)
      .filter(({ container }) => {
        const { values, elsewhere } = environmentOf(manifests, container);
        const names = [...Object.keys(values), ...elsewhere.map(({ variable }) => variable)];
        const ownNames = names.filter((name) => !RUNTIME_VARIABLES.test(name));
        return !isDeepStrictEqual(ownNames, [DATABASE]);
      })
      .map(({ path }) => path),
} satisfies Record<string, Policy>;

interface Migrating {
  path: string;
  service: string;
  container: Container;
}

function migratingOf(manifests: readonly Manifest[]): Migrating[] {
  return workloadsOf(manifests).flatMap(({ kind, name, pod }) => {
    const containers = kind === 'Job' ? pod.containers : (pod.initContainers ?? []);
    return containers.map((container) => ({
      path: `${name}/${container.name}`,
      service: name.replace(/^migrate-/, ''),
      container,
    }));
  });
}

function databaseOf({ env = [] }: Container) {
  return env.find(({ name }) => name === DATABASE)?.valueFrom?.secretKeyRef;
}
