import { isDeepStrictEqual } from 'node:util';
import { environmentOf } from '../environment/resolve.js';
import { RUNTIME_VARIABLES } from '../environment/variables.js';
import { ofKind } from '../manifests/kinds.js';
import { type Container, type Manifest, workloadsOf } from '../manifests/manifest.js';
import { type Change, inGateway, inObject, type Policy, type Violations } from './policy.js';

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

export const VIOLATIONS_OF_MIGRATIONS: Violations<typeof MIGRATIONS> = {
  'the log of a failed migration is kept long enough to be read': inObject('Job', ({ spec }) => {
    if (spec) spec.ttlSecondsAfterFinished = 60;
  }),
  'a migration is applied in one wave with the account and the secrets that it needs': inObject(
    'Job',
    ({ metadata }) => {
      metadata.annotations = { ...metadata.annotations, 'argocd.argoproj.io/sync-wave': '-1' };
    },
  ),
  'a migration can be applied again with the next image': inObject('Job', ({ metadata }) => {
    delete metadata.annotations;
  }),
  'containers that apply or await migrations have the image and the database of their service': [
    inWaiting((container) => {
      container.image = 'agentclash/scoring:0.1.0';
    }),
    inWaiting(({ env = [] }) => {
      for (const { valueFrom } of env) {
        if (valueFrom?.secretKeyRef) valueFrom.secretKeyRef.key = 'nats-nkey-seed';
      }
    }),
  ],
  'containers that apply or await migrations get the address of their database and no other variable': [
    inWaiting((container) => {
      container.env = container.env?.map((variable) => ({ ...variable, name: 'DATABASE_URI' })) ?? [];
    }),
    (manifests) => {
      const job = workloadsOf(manifests).find(({ kind }) => kind === 'Job');
      for (const container of job?.pod.containers ?? []) container.env = [];
    },
  ],
};

function inWaiting(change: (container: Container) => void): Change {
  return inGateway(({ pod }) => {
    for (const container of pod.initContainers ?? []) change(container);
  });
}
