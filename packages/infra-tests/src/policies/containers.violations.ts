import type { CONTAINERS } from './containers.js';
import { inGateway, inService, type Violations } from './violation.js';

export const VIOLATIONS_OF_CONTAINERS: Violations<typeof CONTAINERS> = {
  'no container runs as root': inGateway(({ pod }) => {
    pod.securityContext = { ...pod.securityContext, runAsUser: 0 };
  }),
  'no root file system can be written': inService((container) => {
    container.securityContext = { ...container.securityContext, readOnlyRootFilesystem: false };
  }),
  'no container has or gains a privilege': inService((container) => {
    container.securityContext = { ...container.securityContext, capabilities: { drop: [] } };
  }),
  'no pod has access to its node': [
    inGateway(({ pod }) => {
      pod.volumes = [{ name: 'node', hostPath: {} }];
    }),
    inGateway(({ pod }) => {
      pod.hostIPC = true;
    }),
    inService((container) => {
      container.ports = [{ containerPort: 8080, hostPort: 80 }];
    }),
  ],
  'every image is named by its full version or by a digest': [
    'agentclash/gateway:latest',
    'nats:2',
    'postgres:18',
  ].map((image) =>
    inService((container) => {
      container.image = image;
    }),
  ),
  'all agentclash images have the same version': inService((container) => {
    container.image = 'agentclash/gateway:0.0.9';
  }),
  'every container has requests and limits': inService((container) => {
    container.resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1' } };
  }),
  'every emptyDir volume has a size limit': inGateway(({ pod }) => {
    pod.volumes = [{ name: 'tmp', emptyDir: {} }];
  }),
  'no container requests more than its limit': [
    inService((container) => {
      container.resources = { requests: { cpu: '1' }, limits: { cpu: '500m' } };
    }),
    inService((container) => {
      container.resources = { requests: { memory: '1Gi' }, limits: { memory: '512Mi' } };
    }),
  ],
  'every long-running container has all probes': inService((container) => {
    delete container.livenessProbe;
  }),
  'the probes of services use /healthz for liveness and /readyz for readiness': [
    inService((container) => {
      container.livenessProbe = { httpGet: { path: '/readyz', port: 'health' } };
    }),
    inService((container) => {
      container.startupProbe = { httpGet: { path: '/readyz', port: 'health' } };
    }),
  ],
  'a service has two minutes to connect to the bus before it is restarted': inService(({ startupProbe }) => {
    if (startupProbe) startupProbe.failureThreshold = 3;
  }),
  'no container is restarted because it was unresponsive for less than 30 s': inService(
    ({ livenessProbe }) => {
      if (livenessProbe) livenessProbe.failureThreshold = 2;
    },
  ),
};
