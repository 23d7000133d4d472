import { environmentOf } from '../environment/resolve.js';
import { ofKind } from '../manifests/kinds.js';
import { containersOf, type Manifest, workloadsOf } from '../manifests/manifest.js';
import { type Change, inGateway, inObject, inService, type Policy, type Violations } from './policy.js';

const NGINX = 'nginx.ingress.kubernetes.io';
/** The largest artifact (`ARTIFACT_BYTES_MAX` of the API), without the overhead of the form. */
const UPLOAD_MIB_MAX = 100;
/** Event streams send a heartbeat every 15 s, which may be late; the default timeout of nginx is 60 s. */
const SILENT_SECONDS_MIN = 600;
/** Variables that hold a secret; files are named by path. */
const SECRET_NAME =
  /(?:^|_)(?:DATABASE_URL|PASSWORD|SEED|TOKEN|SECRET|HEADERS|CREDENTIALS|(?:API|ACCESS|SIGNING|PRIVATE)_KEY)(?:_SHA256|_ID)?$/;
const SECRET_VALUE = /\bS[UAOC][A-Z2-7]{56}\b|-----BEGIN [A-Z ]*PRIVATE KEY|:\/\/[^/\s:@"]+:[^/\s@"]+@/;
const CERTIFICATES = 'NODE_EXTRA_CA_CERTS';
const DATABASE = 'DATABASE_URL';

export const EXPOSURE = {
  'no service has a port on nodes or an external address': (manifests) =>
    ofKind(manifests, 'Service')
      .filter(({ spec: { type, externalIPs } }) => type !== 'ClusterIP' || externalIPs.length > 0)
      .map(({ metadata, spec }) => `${metadata.name}: ${spec.type}`),
  'an ingress routes every path of its hosts to agentclash, by TLS': (manifests) =>
    ofKind(manifests, 'Ingress').flatMap(({ metadata, spec }) => {
      const certified = spec.tls.flatMap(({ hosts }) => hosts);
      return spec.rules
        .filter(({ host = '', http: { paths } }) => {
          const isWhole = paths.every(({ path, pathType }) => path === '/' && pathType === 'Prefix');
          return !isWhole || !certified.includes(host);
        })
        .map(({ host }) => `${metadata.name}: ${host}`);
    }),
  'an ingress accepts the largest upload and does not buffer event streams': (manifests) =>
    ofKind(manifests, 'Ingress')
      .filter(({ metadata: { annotations } }) => {
        const [, mib] = /^(\d+)m$/.exec(annotations[`${NGINX}/proxy-body-size`] ?? '') ?? [];
        const seconds = Number(annotations[`${NGINX}/proxy-read-timeout`] ?? 0);
        const isGathered = annotations[`${NGINX}/proxy-buffering`] !== 'off';
        return !(Number(mib) > UPLOAD_MIB_MAX) || isGathered || !(seconds >= SILENT_SECONDS_MIN);
      })
      .map(({ metadata }) => metadata.name),
  'only objects of the kind Secret contain secrets': (manifests) => [
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
  // The servers of the bus have no certificate of a public authority, and a database beside them may have none.
  'if the bus uses TLS, every container that connects to it or to a database trusts its authority': (
    manifests,
  ) => {
    const speaking = workloadsOf(manifests).flatMap((workload) =>
      containersOf(workload).map((container) => {
        const { values, elsewhere } = environmentOf(manifests, container);
        const isByTls = Object.values(values).some((value) => value.startsWith('tls://'));
        const hasDatabase =
          values[DATABASE] !== undefined || elsewhere.some(({ variable }) => variable === DATABASE);
        const path = `${workload.name}/${container.name}`;
        return {
          path,
          isByTls,
          isMeant: isByTls || hasDatabase,
          trusts: values[CERTIFICATES] !== undefined,
        };
      }),
    );
    if (!speaking.some(({ isByTls, trusts }) => isByTls || trusts)) return [];
    return speaking.filter(({ isMeant, trusts }) => isMeant && !trusts).map(({ path }) => path);
  },
} satisfies Record<string, Policy>;

function openSecretsOf(manifest: Manifest): string[] {
  return SECRET_VALUE.test(JSON.stringify(manifest)) ? [`${manifest.kind} ${manifest.metadata.name}`] : [];
}

export const VIOLATIONS_OF_EXPOSURE: Violations<typeof EXPOSURE> = {
  'no service has a port on nodes or an external address': [
    inObject('Service', ({ spec }) => {
      if (spec) spec.type = 'NodePort';
    }),
    inObject('Service', ({ spec }) => {
      if (spec) spec.externalIPs = ['93.184.216.34'];
    }),
  ],
  'an ingress routes every path of its hosts to agentclash, by TLS': [
    inObject('Ingress', (ingress) => {
      const { rules } = ofKind([ingress], 'Ingress')[0]?.spec ?? { rules: [] };
      for (const path of rules.flatMap(({ http }) => http.paths)) path.pathType = 'Exact';
      if (ingress.spec) ingress.spec.rules = rules;
    }),
    inObject('Ingress', ({ spec }) => {
      if (spec) spec.tls = [{ hosts: ['other.example.com'] }];
    }),
  ],
  'an ingress accepts the largest upload and does not buffer event streams': [
    inIngress('proxy-body-size', '8m'),
    inIngress('proxy-buffering', 'on'),
    inIngress('proxy-read-timeout', '60'),
  ],
  'only objects of the kind Secret contain secrets': inService((container) => {
    container.env = [{ name: 'NATS_NKEY_SEED', value: 'plain text' }];
  }),
  'if the bus uses TLS, every container that connects to it or to a database trusts its authority': [
    inGateway(({ pod }) => {
      for (const container of pod.initContainers ?? []) {
        container.env = container.env?.filter(({ name }) => name !== 'NODE_EXTRA_CA_CERTS') ?? [];
      }
    }),
    (manifests) => {
      for (const container of workloadsOf(manifests).flatMap(({ pod }) => pod.containers)) {
        container.env = container.env?.filter(({ name }) => name !== 'NODE_EXTRA_CA_CERTS') ?? [];
      }
    },
  ],
};

function inIngress(setting: string, value: string): Change {
  return inObject('Ingress', ({ metadata }) => {
    metadata.annotations = { ...metadata.annotations, [`nginx.ingress.kubernetes.io/${setting}`]: value };
  });
}
