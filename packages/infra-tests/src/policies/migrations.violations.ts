import { type Container, workloadsOf } from '../manifests/manifest.js';
import type { MIGRATIONS } from './migrations.js';
import { type Change, inGateway, inObject, type Violations } from './violation.js';

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
