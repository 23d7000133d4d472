import { workloadsOf } from '../manifests/manifest.js';
import type { BUS } from './bus.js';
import { type Change, inMap, type Violations } from './violation.js';

export const VIOLATIONS_OF_BUS: Violations<typeof BUS> = {
  'a NATS server moves its clients to other servers before it is stopped': inConfig('"30s"', '"90s"'),
  'the storage limit of the streams fits into the volume of a NATS server': inConfig(
    '16106127360',
    '32212254720',
  ),
  'the pods of a stateful set find each other by name before they are ready': [
    (manifests) => {
      for (const { spec } of workloadsOf(manifests)) spec.serviceName = 'gateway';
    },
    inServiceOfNats((spec) => {
      delete spec.publishNotReadyAddresses;
    }),
    inServiceOfNats((spec) => {
      delete spec.clusterIP;
    }),
  ],
  'every file in the configuration of a NATS server is in a volume': [
    inConfig('"/etc/nats/tls/tls.key"', '"/etc/nats/tsl/tls.key"'),
    inConfig('"/data"', '"/store"'),
    inConfig('"accounts/accounts.conf"', '"accounts.conf"'),
    inConfig('/run/nats/nats.pid', '/run/nats.pid'),
  ],
  'the servers of a NATS cluster accept only peers with a certificate of their authority': [
    inConfig('verify: true', 'verify: false'),
    inConfig('nats-2.nats', 'nats-3.nats'),
  ],
};

function inConfig(was: string, broken: string): Change {
  return inMap('nats-server', (data) => {
    data['server.conf'] = data['server.conf']?.replaceAll(was, broken) ?? '';
  });
}

function inServiceOfNats(change: (spec: Record<string, unknown>) => void): Change {
  return (manifests) => {
    const found = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'nats');
    if (found?.spec) change(found.spec);
  };
}
