import { workloadsOf } from '../manifests/manifest.js';
import { type Breaches, inGateway } from './breach.js';
import type { TRUST } from './trust.js';

export const BREACHES_OF_TRUST: Breaches<typeof TRUST> = {
  'where one speaks to the bus by TLS, all who speak to it or to a database trust its authority': [
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
