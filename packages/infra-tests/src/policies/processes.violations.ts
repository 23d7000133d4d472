import { workloadsOf } from '../manifests/manifest.js';
import type { PROCESSES } from './processes.js';
import { inGateway, inMap, inService, type Violations } from './violation.js';

export const VIOLATIONS_OF_PROCESSES: Violations<typeof PROCESSES> = {
  'every service can write temporary files': inService((container) => {
    container.volumeMounts = [];
  }),
  'every service listens on all addresses at the ports that its pod declares': inMap(
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
  'the heaps of a service and its threads stay below its memory limit with a margin': inService(
    (container) => {
      container.resources = { limits: { memory: '400Mi' } };
    },
  ),
  'the heap of a NATS server stays below its memory limit with a margin': (manifests) => {
    const nats = workloadsOf(manifests).find(({ name }) => name === 'nats');
    for (const container of nats?.pod.containers ?? []) delete container.env;
  },
  'every path in an environment variable exists in a volume of the container': [
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
  'every pod with a volume of a secret or a claim has a group that can read it': inGateway(({ pod }) => {
    delete pod.securityContext?.fsGroup;
  }),
};
