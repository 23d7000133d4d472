import { isMounted } from '../environment/mounts.js';
import { ofKind, selectorOf, selects } from '../manifests/kinds.js';
import { bytesOf, lastingWorkloadsOf, workloadsOf } from '../manifests/manifest.js';
import { configOf } from '../race/servers.js';
import { type Change, inMap, type Policy, type Violations } from './policy.js';

const NATS = 'nats';
const CONFIG = '/etc/nats';

export const BUS = {
  'a NATS server moves its clients to other servers before it is stopped': (manifests) => {
    const { server } = configOf(manifests);
    const [, pidFile] = /^pid_file: "(.+)"$/m.exec(server) ?? [];
    const [, seconds] = /^lame_duck_duration: "(\d+)s"$/m.exec(server) ?? [];
    return lastingWorkloadsOf(manifests)
      .filter(({ name }) => name === NATS)
      .filter(({ pod }) => {
        const { lifecycle } = pod.containers[0] ?? {};
        const isNotified = lifecycle?.preStop?.exec?.command.includes(`-sl=ldm=${pidFile}`) ?? false;
        return !isNotified || !(Number(seconds) < (pod.terminationGracePeriodSeconds ?? 30));
      })
      .map(({ name }) => name);
  },
  'the storage limit of the streams fits into the volume of a NATS server': (manifests) => {
    const [, bytes] = /^\s*max_file_store: (\d+)$/m.exec(configOf(manifests).server) ?? [];
    return ofKind(manifests, 'StatefulSet')
      .filter(({ metadata }) => metadata.name === NATS)
      .flatMap(({ spec }) => spec.volumeClaimTemplates)
      .map(({ spec }) => spec.resources.requests.storage)
      .filter((storage) => !(Number(bytes) < bytesOf(storage)))
      .map((storage) => `${bytes} bytes in ${storage}`);
  },
  'the pods of a stateful set find each other by name before they are ready': (manifests) =>
    workloadsOf(manifests)
      .filter(({ kind }) => kind === 'StatefulSet')
      .filter(({ spec, namespace, podLabels }) => {
        const service = ofKind(manifests, 'Service').find(
          ({ metadata }) => metadata.name === spec.serviceName && metadata.namespace === namespace,
        )?.spec;
        const isHeadless = service?.clusterIP === 'None' && selects(selectorOf(service.selector), podLabels);
        return !isHeadless || (Number(spec.replicas) > 1 && !service.publishNotReadyAddresses);
      })
      .map(({ name }) => name),
  'every file in the configuration of a NATS server is in a volume': (manifests) => {
    const { server } = configOf(manifests);
    const absolute = [...server.matchAll(/"(\/[^"]+)"/g)].map(([, file = '']) => file);
    const included = [...server.matchAll(/^include "([^"]+)"$/gm)].map(([, file]) => `${CONFIG}/${file}`);
    return lastingWorkloadsOf(manifests)
      .filter(({ name }) => name === NATS)
      .flatMap(({ pod }) => pod.containers.map((container) => ({ pod, container })))
      .flatMap(({ pod, container }) => {
        const { command = [] } = container;
        const own = command[command.indexOf('--config') + 1] ?? '';
        return [own, ...absolute, ...included].filter(
          (path) => !isMounted(manifests, pod, { container, path }),
        );
      });
  },
  'the servers of a NATS cluster accept only peers with a certificate of their authority': (manifests) => {
    const servers = ofKind(manifests, 'StatefulSet').find(({ metadata }) => metadata.name === NATS);
    const replicas = servers?.spec.replicas ?? 1;
    if (replicas < 2) return [];
    const cluster = blockOf(configOf(manifests).server, 'cluster');
    const tls = blockOf(cluster, 'tls');
    const needed = ['cert_file: "', 'key_file: "', 'ca_file: "', 'verify: true'];
    const routes = Array.from({ length: replicas }, (_, index) => `"nats-route://nats-${index}.nats:6222"`);
    return [
      ...needed.filter((setting) => !tls.includes(setting)),
      ...routes.filter((route) => !cluster.includes(route)),
    ];
  },
} satisfies Record<string, Policy>;

/** The text between the braces of the first block of a name. */
function blockOf(text: string, name: string): string {
  const [head = ''] = new RegExp(`\\b${name} \\{`).exec(text) ?? [];
  if (head === '') return '';
  const inner = text.slice(text.indexOf(head) + head.length);
  let depth = 1;
  const end = [...inner].findIndex((letter) => {
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    return depth === 0;
  });
  return inner.slice(0, end);
}

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
