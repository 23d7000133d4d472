import { ofKind } from '../manifests/kinds.js';
import { workloadsOf } from '../manifests/manifest.js';
import type { EXPOSURE } from './exposure.js';
import { type Change, inGateway, inObject, inService, type Violations } from './violation.js';

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
