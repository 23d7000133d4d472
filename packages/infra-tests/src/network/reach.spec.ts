import { expect, test } from '@jest/globals';
import { ofKind, type PolicyPort } from '../manifests/kinds.js';
import type { Manifest } from '../manifests/manifest.js';
import { OVERLAYS, type Overlay, renderOverlay, renderWith } from '../manifests/render.js';
import { describeWithKubectl } from '../requirements.js';
import { type Endpoint, endpointsOf, flowsOf } from './reach.js';

const WITH_DATABASE = ['gateway', 'pack-registry', 'run-orchestrator', 'secrets-vault', 'scoring'];
const WITH_BLOBS = ['gateway', 'pack-registry', 'run-orchestrator', 'sandbox-executor', 'scoring'];
const SERVICES = [...WITH_DATABASE, 'sandbox-executor'];
const CALLING_OUTSIDE = ['run-orchestrator', 'sandbox-executor', 'scoring'];

/** Pods of other installations, by the labels of their namespace. */
const OTHERS: Endpoint[] = [
  podOf('other-pod', {}),
  podOf('ingress-controller', { 'agentclash.dev/may-reach': 'gateway' }),
  podOf('internal-service', { 'agentclash.dev/may-reach': 'bus' }),
  podOf('prometheus', { 'kubernetes.io/metadata.name': 'monitoring' }),
  podOf('keda', { 'kubernetes.io/metadata.name': 'keda' }),
  podOf('collector', { 'kubernetes.io/metadata.name': 'observability' }, [4318]),
  podOf('dns', { 'kubernetes.io/metadata.name': 'kube-system' }, [53], { 'k8s-app': 'kube-dns' }),
  podOf('part-of-the-system', { 'kubernetes.io/metadata.name': 'kube-system' }, [53]),
  podOf('challenge', { 'kubernetes.io/metadata.name': 'agentclash' }, [8089], {
    'acme.cert-manager.io/http01-solver': 'true',
  }),
  podOf('sandbox', { 'kubernetes.io/metadata.name': 'agentclash-sandboxes' }, [1234]),
];
const OUTSIDE: Endpoint[] = Object.entries({
  internet: '93.184.216.34',
  internet6: '2606:2800:21f:cb07::1',
  'private-10': '10.1.2.3',
  'private-172': '172.20.0.1',
  'private-192': '192.168.1.1',
  private6: 'fd12:3456:789a::1',
  carrier: '100.64.0.1',
  loopback: '127.0.0.1',
  loopback6: '::1',
  'this-network': '0.0.0.1',
  'metadata-service': '169.254.169.254',
  link6: 'fe80::1',
}).map(([name, address]) => ({ name, address }));
/** The ports that a rule without ports allows. */
const ANY_PORT: PolicyPort = { port: 'any', protocol: 'UDP' };
/** Tried in addition to the ports of the policies. */
const USUAL_PORTS = [22, 80, 443, 5432, 6443];

const each = (names: readonly string[], to: string) => names.map((name) => `${name} -> ${to}`);
const MIGRATIONS = WITH_DATABASE.map((name) => `migrate-${name}`);
const OURS = [...SERVICES, ...MIGRATIONS, 'nats'];

/** The connections of docs/architecture.md. */
const EVERYWHERE = [
  ...each(SERVICES, 'nats:4222'),
  ...each([...OURS, 'challenge'], 'dns:53'),
  'ingress-controller -> gateway:8080',
  'internal-service -> nats:4222',
  ...['internet:80', 'internet:443', 'internet6:80', 'internet6:443'].flatMap((to) =>
    each(CALLING_OUTSIDE, to),
  ),
];
/** In a cluster whose API server may have any private address; overlays based on `prod` name its address. */
const ANY_API_SERVER = ['private-10', 'private-172', 'private-192'].flatMap((network) => [
  `sandbox-executor -> ${network}:443`,
  `sandbox-executor -> ${network}:6443`,
]);
const OF_PROD_CORE = [
  ...EVERYWHERE,
  ...each([...WITH_DATABASE, ...MIGRATIONS], 'private-10:5432'),
  ...['internet:443', 'internet6:443'].flatMap((to) => each(WITH_BLOBS, to)),
  'nats -> nats:6222',
];
const FLOWS: Record<Overlay, string[]> = {
  dev: [
    ...EVERYWHERE,
    ...ANY_API_SERVER,
    ...each([...WITH_DATABASE, ...MIGRATIONS], 'postgres:5432'),
    'postgres -> dns:53',
  ],
  'prod-core': OF_PROD_CORE,
  prod: [
    ...OF_PROD_CORE,
    'keda -> nats:8222',
    'ingress-controller -> challenge:8089',
    ...SERVICES.map((name) => `prometheus -> ${name}:9464`),
  ],
};

describeWithKubectl('the network policies', () => {
  test.each(OVERLAYS)(
    'the network policies of the overlay %s allow the connections of the architecture and no others',
    (overlay) => {
      expect(ourFlows(renderOverlay(overlay))).toEqual([...new Set(FLOWS[overlay])].sort());
    },
  );

  test.each([
    ['tracing', each(SERVICES, 'collector:4318')],
    ['oidc', ['gateway -> internet:443', 'gateway -> internet6:443']],
  ])(
    'the network policies of the component %s allow the connections of its purpose and no others',
    (component, more) => {
      expect(ourFlows(renderWith('dev', [component]))).toEqual([...FLOWS.dev, ...more].sort());
    },
  );

  test.each(OVERLAYS)('the network policies of the overlay %s allow no UDP except DNS', (overlay) => {
    const ports = ofKind(renderOverlay(overlay), 'NetworkPolicy').flatMap(({ spec }) =>
      [...spec.ingress, ...spec.egress].flatMap((rule) => rule.ports ?? [ANY_PORT]),
    );
    expect(ports.filter(({ protocol }) => protocol === 'UDP')).toEqual([{ port: 53, protocol: 'UDP' }]);
  });

  test('the network policies allow the ingress controller to reach the backends of the ingress', () => {
    const manifests = renderOverlay('prod');
    const backends = ofKind(manifests, 'Ingress')
      .flatMap(({ spec }) => spec.rules.flatMap(({ http }) => http.paths))
      .map(({ backend: { service } }) => portOf(manifests, service));
    expect(backends).toEqual(['gateway:8080']);
    const flows = ourFlows(manifests);
    expect(backends.filter((backend) => !flows.includes(`ingress-controller -> ${backend}`))).toEqual([]);
  });

  test.each([
    ['an address', { to: [{ ipBlock: { cidr: '100.64.0.0/10' } }] }, 'gateway -> carrier:443'],
    ['a port', { ports: [{ port: 8443 }] }, 'gateway -> internet:8443'],
    ['a port of others', { ports: [{ port: 9153 }] }, 'gateway -> dns:9153'],
  ])('a network policy that is too wide by %s is reported', (_, rule, flow) => {
    const open: Manifest = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'open', namespace: 'agentclash' },
      spec: { podSelector: {}, policyTypes: ['Egress'], egress: [rule] },
    };
    expect(ourFlows([...renderOverlay('dev'), open])).toContain(flow);
  });

  test('a network policy that allows everything is reported', () => {
    const open: Manifest = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'open', namespace: 'agentclash' },
      spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{}] },
    };
    expect(ourFlows([...renderOverlay('dev'), open])).toContain('other-pod -> postgres:5432');
  });
});

/** All flows from or to agentclash and its sandboxes, without those between other pods. */
function ourFlows(manifests: readonly Manifest[]): string[] {
  const own = endpointsOf(manifests);
  const ports = [...new Set([...USUAL_PORTS, ...portsNamedBy(manifests)])];
  const names = new Set([...own.map(({ name }) => name), 'sandbox', 'challenge']);
  return flowsOf(
    manifests,
    [...own, ...OTHERS.map((endpoint) => withPorts(endpoint, ports)), ...OUTSIDE],
    ports,
  )
    .filter((flow) => {
      const [from = '', to = ''] = flow.split(' -> ');
      return names.has(from) || names.has(to.slice(0, to.lastIndexOf(':')));
    })
    .sort();
}

function portsNamedBy(manifests: readonly Manifest[]): number[] {
  return ofKind(manifests, 'NetworkPolicy')
    .flatMap(({ spec }) => [...spec.ingress, ...spec.egress])
    .flatMap(({ ports = [] }) => ports.map(({ port }) => port))
    .filter((port) => typeof port === 'number');
}

/** Other pods may listen on any of the ports. */
function withPorts({ name, pod }: Endpoint, ports: readonly number[]): Endpoint {
  if (pod === undefined) return { name };
  const known = new Set([...pod.ports.map(({ port }) => port), ...ports]);
  return { name, pod: { ...pod, ports: [...known].map((port) => ({ port })) } };
}

/** The `pod:port` of a port of a service. */
function portOf(manifests: readonly Manifest[], service: { name: string; port: { name: string } }): string {
  const found = ofKind(manifests, 'Service').find(({ metadata }) => metadata.name === service.name);
  const target = found?.spec.ports.find(({ name }) => name === service.port.name)?.targetPort;
  const pod = endpointsOf(manifests).find(({ name }) => name === service.name)?.pod;
  return `${service.name}:${pod?.ports.find(({ name }) => name === target)?.port}`;
}

function podOf(
  name: string,
  namespaceLabels: Record<string, string>,
  ports: number[] = [],
  labels = {},
): Endpoint {
  const namespace = namespaceLabels['kubernetes.io/metadata.name'] ?? name;
  return { name, pod: { labels, namespace, namespaceLabels, ports: ports.map((port) => ({ port })) } };
}
