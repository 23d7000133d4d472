import { type Breaches, inService } from './breach.js';
import type { SECRETS } from './secrets.js';

export const BREACHES_OF_SECRETS: Breaches<typeof SECRETS> = {
  'no secret is written into anything but a secret': inService((container) => {
    container.env = [{ name: 'NATS_NKEY_SEED', value: 'said openly' }];
  }),
};
