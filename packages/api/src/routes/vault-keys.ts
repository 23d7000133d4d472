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
      'Have the vault read its keys again, make a new one where it manages them, and wrap all secrets anew in the background',
    response: KeyRingStatus,
    status: 202,
  }),
  retire: route({
    method: 'POST',
    path: `${path}/{key}/retire`,
    access: 'operator',
    summary:
      'Have nothing wrapped by a key ever again, so that it can be taken away; 409 while secrets need it',
    params: { key: MasterKeyId },
    response: KeyRingStatus,
    status: 200,
    conflicts: 'Secrets need the key',
  }),
};
