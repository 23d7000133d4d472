import { type Breaches, inGateway, inService } from './breach.js';
import type { FILES } from './files.js';

export const BREACHES_OF_FILES: Breaches<typeof FILES> = {
  'every file and folder that a setting names is in a volume, under the name that it has there': [
    inService((container) => {
      container.env = [{ name: 'BLOB_SPOOL_FOLDER', value: '/spool' }];
    }),
    inService((container) => {
      container.env = [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/agentclash/ca/authority.crt' }];
    }),
    (manifests) => {
      const metadata = { name: 'agentclash-ca' };
      manifests.push({ apiVersion: 'v1', kind: 'Secret', metadata, data: { 'authority.crt': '' } });
    },
  ],
  'every pod that has a secret or a claim as a volume has a group to read it': inGateway(({ pod }) => {
    delete pod.securityContext?.fsGroup;
  }),
};
