import { type Breaches, inService } from './breach.js';
import type { PROBING } from './probes.js';

export const BREACHES_OF_PROBING: Breaches<typeof PROBING> = {
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
