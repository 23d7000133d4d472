import { type Breaches, inGateway, inService } from './breach.js';
import type { POD_SECURITY } from './pod-security.js';

export const BREACHES_OF_POD_SECURITY: Breaches<typeof POD_SECURITY> = {
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
};
