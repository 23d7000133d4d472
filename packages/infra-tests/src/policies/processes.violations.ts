import { workloadsOf } from '../manifests/manifest.js';
import type { PROCESSES } from './processes.js';
import { inGateway, inMap, inService, type Violations } from './violation.js';

export const VIOLATIONS_OF_PROCESSES: Violations<typeof PROCESSES> = {
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
  'the heaps of a service and its threads leave room below its limit of memory': inService((container) => {
    container.resources = { limits: { memory: '400Mi' } };
  }),
  'the heap of a NATS server leaves room below its limit of memory': (manifests) => {
    const nats = workloadsOf(manifests).find(({ name }) => name === 'nats');
    for (const container of nats?.pod.containers ?? []) delete container.env;
  },
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
