import { BlockList, isIP } from 'node:net';
import {
  type Labels,
  type ObjectOf,
  ofKind,
  type Peer,
  type PolicyPort,
  selects,
} from '../manifests/kinds.js';
import { type Manifest, workloadsOf } from '../manifests/manifest.js';

/** A source or a destination of connections. */
export interface Endpoint {
  name: string;
  /** A pod of a namespace; absent for an address outside of the cluster. */
  pod?: {
    labels: Labels;
    namespace: string;
    namespaceLabels: Labels;
    ports: { name?: string; port: number }[];
  };
  address?: string;
}

type Policy = ObjectOf<'NetworkPolicy'>;

/** The pods of all workloads as endpoints. */
export function endpointsOf(manifests: readonly Manifest[]): Endpoint[] {
  const namespaces = new Map(
    ofKind(manifests, 'Namespace').map(({ metadata }) => [metadata.name, metadata.labels]),
  );
  return workloadsOf(manifests).map(({ name, namespace, podLabels, pod }) => ({
    name,
    pod: {
      labels: podLabels,
      namespace,
      namespaceLabels: { 'kubernetes.io/metadata.name': namespace, ...namespaces.get(namespace) },
      ports: pod.containers.flatMap(({ ports = [] }) =>
        ports.map(({ name: portName, containerPort }) => ({
          port: containerPort,
          ...(portName !== undefined && { name: portName }),
        })),
      ),
    },
  }));
}

/** Every TCP connection `from -> to:port` that the network policies allow. */
export function flowsOf(
  manifests: readonly Manifest[],
  endpoints: readonly Endpoint[],
  outsidePorts: readonly number[],
): string[] {
  const policies = ofKind(manifests, 'NetworkPolicy');
  const plural = pluralOf(manifests);
  return endpoints.flatMap((from) =>
    endpoints
      .filter((to) => to !== from || plural.has(from.name))
      .flatMap((to) =>
        (to.pod?.ports.map(({ port }) => port) ?? outsidePorts)
          .filter((port) => mayLeave(policies, { from, to, port }) && mayEnter(policies, { from, to, port }))
          .map((port) => `${from.name} -> ${to.name}:${port}`),
      ),
  );
}

interface Attempt {
  from: Endpoint;
  to: Endpoint;
  port: number;
}

/** Workloads whose pods may connect to each other. */
function pluralOf(manifests: readonly Manifest[]): Set<string> {
  const plural = ofKind(manifests, 'StatefulSet').filter(({ spec }) => spec.replicas > 1);
  return new Set(plural.map(({ metadata }) => metadata.name));
}

function mayLeave(policies: Policy[], { from, to, port }: Attempt): boolean {
  const applying = applyingTo(policies, from, 'Egress');
  if (applying.length === 0) return true;
  return applying.some(({ metadata: { namespace }, spec }) =>
    spec.egress.some((rule) => isPeer(rule.to, to, namespace) && isPort(rule.ports, to, port)),
  );
}

function mayEnter(policies: Policy[], { from, to, port }: Attempt): boolean {
  const applying = applyingTo(policies, to, 'Ingress');
  if (applying.length === 0) return true;
  return applying.some(({ metadata: { namespace }, spec }) =>
    spec.ingress.some((rule) => isPeer(rule.from, from, namespace) && isPort(rule.ports, to, port)),
  );
}

/** A pod that no policy of a direction selects is unrestricted in it. */
function applyingTo(policies: Policy[], { pod }: Endpoint, direction: 'Ingress' | 'Egress'): Policy[] {
  if (pod === undefined) return [];
  return policies.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.namespace &&
      spec.policyTypes.includes(direction) &&
      selects(spec.podSelector, pod.labels),
  );
}

function isPeer(peers: Peer[] | undefined, { pod, address }: Endpoint, namespace: string): boolean {
  if (peers === undefined) return true;
  return peers.some(({ ipBlock, podSelector, namespaceSelector }) => {
    if (ipBlock !== undefined) return address !== undefined && isWithin(address, ipBlock);
    if (pod === undefined) return false;
    const isThere =
      namespaceSelector === undefined
        ? pod.namespace === namespace
        : selects(namespaceSelector, pod.namespaceLabels);
    return isThere && (podSelector === undefined || selects(podSelector, pod.labels));
  });
}

function isPort(ports: PolicyPort[] | undefined, { pod }: Endpoint, port: number): boolean {
  if (ports === undefined) return true;
  return ports
    .filter(({ protocol }) => protocol === 'TCP')
    .some((allowed) => {
      const number =
        typeof allowed.port === 'number'
          ? allowed.port
          : pod?.ports.find(({ name }) => name === allowed.port)?.port;
      return number === port;
    });
}

function isWithin(address: string, { cidr, except }: { cidr: string; except: string[] }): boolean {
  return contains(cidr, address) && !except.some((hole) => contains(hole, address));
}

function contains(cidr: string, address: string): boolean {
  const [net = '', bits] = cidr.split('/');
  if (isIP(net) !== isIP(address)) return false;
  const family = isIP(net) === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(net, Number(bits), family);
  return list.check(address, family);
}
