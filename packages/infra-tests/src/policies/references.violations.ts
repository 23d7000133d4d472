import type { REFERENCES } from './references.js';
import { inGateway, inMap, inService, type Violations } from './violation.js';

export const VIOLATIONS_OF_REFERENCES: Violations<typeof REFERENCES> = {
  'every config map, account, priority class and claim that is referenced exists': inService((container) => {
    container.envFrom = [{ configMapRef: { name: 'nowhere' } }];
  }),
  'every mount refers to a volume of its pod': inGateway(({ pod }) => {
    pod.volumes = [];
  }),
  'every workload selects its own pods and no others': inGateway(({ spec }) => {
    spec.selector = { matchLabels: { 'app.kubernetes.io/component': 'service' } };
  }),
  'every service routes to ports that one workload declares': inService((container) => {
    container.ports = [{ name: 'health', containerPort: 8081 }];
  }),
  'every address in the cluster that a setting names belongs to a service': inMap(
    'service-settings',
    (data) => {
      data.NATS_URL = 'tls://nats:4223';
    },
  ),
  'every probe uses a port that its container declares': inService((container) => {
    container.readinessProbe = { httpGet: { path: '/readyz', port: 'heath' } };
  }),
  'every ingress and scaler refers to an existing object': inGateway(({ spec }) => {
    spec.replicas = 3;
  }),
};
