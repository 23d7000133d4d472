import { type Breaches, inGateway, inService } from './breach.js';
import type { RESOURCES } from './resources.js';

export const BREACHES_OF_RESOURCES: Breaches<typeof RESOURCES> = {
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
};
