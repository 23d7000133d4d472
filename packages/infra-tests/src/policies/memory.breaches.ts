import { workloadsOf } from '../manifests/manifest.js';
import { type Breaches, inService } from './breach.js';
import type { MEMORY } from './memory.js';

export const BREACHES_OF_MEMORY: Breaches<typeof MEMORY> = {
  'the heaps of a service and its threads leave room below its limit of memory': inService((container) => {
    container.resources = { limits: { memory: '400Mi' } };
  }),
  'the heap of a NATS server leaves room below its limit of memory': (manifests) => {
    const nats = workloadsOf(manifests).find(({ name }) => name === 'nats');
    for (const container of nats?.pod.containers ?? []) delete container.env;
  },
};
