import { type Breaches, inGateway, inMap, inService } from './breach.js';
import type { PROCESSES } from './processes.js';

export const BREACHES_OF_PROCESSES: Breaches<typeof PROCESSES> = {
  'every service can write temporary files': inService((container) => {
    container.volumeMounts = [];
  }),
  'every service listens, for all to reach, at the ports that its pod opens': inMap(
    'service-settings',
    (data) => {
      data.METRICS_HOST = '127.0.0.1';
    },
  ),
  'each service and its migration have the account and the secrets of that service alone': inGateway(
    ({ pod }) => {
      pod.volumes = [{ name: 'keys', secret: { secretName: 'secrets-vault-keys' } }];
    },
  ),
};
