import type { REFERENCES } from './references.js';
import { inGateway, inMap, inService, type Violations } from './violation.js';

export const VIOLATIONS_OF_REFERENCES: Violations<typeof REFERENCES> = {
  'every config map, account, priority and claim that is named is there': inService((container) => {
    container.envFrom = [{ configMapRef: { name: 'nowhere' } }];
  }),
  'every mount is of a volume': inGateway(({ pod }) => {
    pod.volumes = [];
  }),
  'every workload selects its own pods and nobody else': inGateway(({ spec }) => {
    spec.selector = { matchLabels: { 'app.kubernetes.io/component': 'service' } };
  }),
  'every service leads to ports that one workload opens': inService((container) => {
    container.ports = [{ name: 'health', containerPort: 8081 }];
  }),
  'every address of this cluster that is named is one of a service': inMap('service-settings', (data) => {
    data.NATS_URL = 'tls://nats:4223';
  }),
  'every probe asks a port that is open': inService((container) => {
    container.readinessProbe = { httpGet: { path: '/readyz', port: 'heath' } };
  }),
  'every ingress and scaler leads to what is there': inGateway(({ spec }) => {
    spec.replicas = 3;
  }),
};
