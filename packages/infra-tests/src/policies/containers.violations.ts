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
  'no pod sees its node': [
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
  'every image has a whole version, or a digest': ['agentclash/gateway:latest', 'nats:2', 'postgres:18'].map(
    (image) =>
      inService((container) => {
        container.image = image;
      }),
  ),
  'all images of ours are of one version': inService((container) => {
    container.image = 'agentclash/gateway:0.0.9';
  }),
  'every container has requests and limits': inService((container) => {
    container.resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1' } };
  }),
  'every volume in memory or on the node has a size': inGateway(({ pod }) => {
    pod.volumes = [{ name: 'tmp', emptyDir: {} }];
  }),
  'no container asks for more than it may have': [
    inService((container) => {
      container.resources = { requests: { cpu: '1' }, limits: { cpu: '500m' } };
    }),
    inService((container) => {
      container.resources = { requests: { memory: '1Gi' }, limits: { memory: '512Mi' } };
    }),
  ],
  'whatever lasts has all probes': inService((container) => {
    delete container.livenessProbe;
  }),
  'services are asked for their life and their readiness, each at its own door': [
    inService((container) => {
      container.livenessProbe = { httpGet: { path: '/readyz', port: 'health' } };
    }),
    inService((container) => {
      container.startupProbe = { httpGet: { path: '/readyz', port: 'health' } };
    }),
  ],
  'a service has minutes to find its bus before it is started anew': inService(({ startupProbe }) => {
    if (startupProbe) startupProbe.failureThreshold = 3;
  }),
  'nothing is started anew that was silent for a moment': inService(({ livenessProbe }) => {
    if (livenessProbe) livenessProbe.failureThreshold = 2;
  }),
};
