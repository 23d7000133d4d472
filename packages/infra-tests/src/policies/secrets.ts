import { ofKind } from '../manifests/kinds.js';
import { containersOf, type Manifest, workloadsOf } from '../manifests/manifest.js';
import type { Policy } from './policy.js';

/** Variables that hold what nobody else may know; files are named by path. */
const SECRET_NAME =
  /(?:^|_)(?:DATABASE_URL|PASSWORD|SEED|TOKEN|SECRET|HEADERS|CREDENTIALS|(?:API|ACCESS|SIGNING|PRIVATE)_KEY)(?:_SHA256|_ID)?$/;
const SECRET_VALUE = /\bS[UAOC][A-Z2-7]{56}\b|-----BEGIN [A-Z ]*PRIVATE KEY|:\/\/[^/\s:@"]+:[^/\s@"]+@/;

export const SECRETS = {
  'no secret is written into anything but a secret': (manifests) => [
    ...manifests.filter(({ kind }) => kind !== 'Secret').flatMap(openSecretsOf),
    ...ofKind(manifests, 'ConfigMap').flatMap(({ metadata, data }) =>
      Object.keys(data)
        .filter((name) => SECRET_NAME.test(name))
        .map((name) => `${metadata.name}: ${name}`),
    ),
    ...workloadsOf(manifests).flatMap((workload) =>
      containersOf(workload)
        .flatMap(({ env = [] }) => env)
        .filter(({ name, valueFrom }) => SECRET_NAME.test(name) && valueFrom?.secretKeyRef === undefined)
        .map(({ name }) => `${workload.name}: ${name}`),
    ),
  ],
} satisfies Record<string, Policy>;

function openSecretsOf(manifest: Manifest): string[] {
  return SECRET_VALUE.test(JSON.stringify(manifest)) ? [`${manifest.kind} ${manifest.metadata.name}`] : [];
}
