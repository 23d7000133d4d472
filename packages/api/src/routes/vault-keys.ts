import { KeyRingStatus, MasterKeyId } from '@agentclash/contracts';
import { route } from '../route.js';

const path = '/v1/vault-keys';

export const vaultKeyRoutes = {
  status: route({
    method: 'GET',
    path,
    access: 'operator',
    summary: 'The master keys by id and how many secrets each wraps; never a key',
    response: KeyRingStatus,
    status: 200,
  }),
  rotate: route({
    method: 'POST',
    path: `${path}/rotate`,
    access: 'operator',
    summary:
      'Have the vault reload its keys, create a new one where it manages them, and re-encrypt all secrets in the background',
    response: KeyRingStatus,
    status: 202,
  }),
  retire: route({
    method: 'POST',
    path: `${path}/{key}/retire`,
    access: 'operator',
    summary:
      'Retire a key, so that it encrypts nothing any more and can be removed; 409 while secrets need it',
    params: { key: MasterKeyId },
    response: KeyRingStatus,
    status: 200,
    conflicts: 'Secrets need the key',
  }),
};
