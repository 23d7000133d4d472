import { ofKind } from '../manifests/kinds.js';
import type { Policy } from './policy.js';

const LOG_KEPT_SECONDS_MIN = 600;
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
} satisfies Record<string, Policy>;
