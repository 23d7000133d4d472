import { environmentOf } from '../environment/resolve.js';
import { type Kind, LabelSelector, ofKind, selectorOf, selects } from '../manifests/kinds.js';
import {
  type Container,
  containersOf,
  type Manifest,
  type Workload,
  workloadsOf,
} from '../manifests/manifest.js';
import { inGateway, inMap, inService, type Policy, type Violations } from './policy.js';

/** The namespace of names that have none. */
const HOME = 'agentclash';

export const REFERENCES = {
  'every config map, account, priority class and claim that is referenced exists': (manifests) =>
    workloadsOf(manifests).flatMap((workload) =>
      namedBy(workload)
        .filter(({ kind, name }) => !exists(manifests, kind, name))
        .map(({ kind, name }) => `${workload.name}: no ${kind} ${name}`),
    ),
  'every mount refers to a volume of its pod': (manifests) =>
    workloadsOf(manifests).flatMap(({ name, pod, spec }) => {
      const claims = (spec.volumeClaimTemplates ?? []) as Manifest[];
      const volumes = new Set([
        ...(pod.volumes ?? []).map((volume) => volume.name),
        ...claims.map(({ metadata }) => metadata.name),
      ]);
      return [...(pod.initContainers ?? []), ...pod.containers]
        .flatMap(({ volumeMounts = [] }) => volumeMounts)
        .filter((mount) => !volumes.has(mount.name))
        .map((mount) => `${name}: ${mount.name}`);
    }),
  'every workload selects its own pods and no others': (manifests) =>
    workloadsOf(manifests)
      .filter(({ kind }) => kind !== 'Job')
      .flatMap(({ name, spec }) => {
        const selected = workloadsOf(manifests).filter(({ podLabels }) =>
          selects(LabelSelector.parse(spec.selector), podLabels),
        );
        return selected.length === 1 && selected[0]?.name === name ? [] : [name];
      }),
  'every service routes to ports that one workload declares': (manifests) =>
    ofKind(manifests, 'Service').flatMap(({ metadata, spec }) => {
      const { selector, ports } = spec;
      const behind = workloadsOf(manifests).filter(({ podLabels }) =>
        selects(selectorOf(selector), podLabels),
      );
      if (behind.length !== 1)
        return [`${metadata.name}: ${behind.map(({ name }) => name).join(', ') || 'no workload'}`];
      const open = behind.flatMap(({ pod }) => pod.containers).flatMap(({ ports: opened = [] }) => opened);
      return ports
        .filter(
          ({ name, targetPort }) => name !== targetPort || !open.some((port) => isPort(port, targetPort)),
        )
        .map(({ name, targetPort }) => `${metadata.name}: ${name} to ${targetPort}`);
    }),
  'every address in the cluster that a setting names belongs to a service': (manifests) =>
    [
      ...workloadsOf(manifests).flatMap((workload) =>
        containersOf(workload).flatMap((container) =>
          Object.values(environmentOf(manifests, container).values),
        ),
      ),
      ...ofKind(manifests, 'ScaledObject').flatMap(({ spec }) =>
        spec.triggers.flatMap(({ metadata }) => Object.values(metadata)),
      ),
    ]
      .flatMap(addressesIn)
      .filter((address) => !isServed(manifests, address)),
  'every probe uses a port that its container declares': (manifests) =>
    workloadsOf(manifests).flatMap(({ name, pod }) =>
      pod.containers.flatMap((container) =>
        probedPorts(container)
          .filter((port) => !container.ports?.some((open) => isPort(open, port)))
          .map((port) => `${name}: ${port}`),
      ),
    ),
  'every ingress and scaler refers to an existing object': (manifests) => [
    ...ofKind(manifests, 'Ingress').flatMap(({ metadata, spec }) =>
      spec.rules
        .flatMap(({ http }) => http.paths)
        .filter(({ backend }) => !servicePort(manifests, backend.service))
        .map(() => metadata.name),
    ),
    ...[...ofKind(manifests, 'ScaledObject'), ...ofKind(manifests, 'HorizontalPodAutoscaler')]
      .filter(({ spec: { scaleTargetRef } }) => {
        const target = ofKind(manifests, 'Deployment').find(
          ({ metadata }) => metadata.name === scaleTargetRef.name,
        );
        // A number of replicas would override the scaler at every apply.
        return target === undefined || target.spec.replicas !== undefined;
      })
      .map(({ metadata }) => metadata.name),
  ],
} satisfies Record<string, Policy>;

/** `host:port` of every server that a setting names. */
function addressesIn(text: string): string[] {
  return [...text.matchAll(/(?:^|\/\/|@)([a-z][\w.-]*:\d+)(?=$|[/?,])/g)].map(([, address = '']) => address);
}

/** Addresses in a namespace that the manifests do not create, or outside of the cluster, are not checked. */
function isServed(manifests: readonly Manifest[], address: string): boolean {
  const [host = '', port] = address.split(':');
  const [name, namespace = HOME] = host.split('.');
  if (!ofKind(manifests, 'Namespace').some(({ metadata }) => metadata.name === namespace)) return true;
  return ofKind(manifests, 'Service')
    .filter(({ metadata }) => metadata.name === name && metadata.namespace === namespace)
    .some(({ spec }) => spec.ports.some((open) => open.port === Number(port)));
}

interface Backend {
  name: string;
  port: { name: string };
}

interface Named {
  kind: Kind;
  name: string | undefined;
}

function namedBy(workload: Workload): { kind: Kind; name: string }[] {
  const { pod } = workload;
  const maps = [
    ...containersOf(workload).flatMap(({ envFrom = [] }) =>
      envFrom.map(({ configMapRef }) => configMapRef?.name),
    ),
    ...(pod.volumes ?? []).map(({ configMap }) => configMap?.name),
  ];
  const claims = (pod.volumes ?? []).map((volume) => volume.persistentVolumeClaim?.claimName);
  const named: Named[] = [
    ...maps.map((name): Named => ({ kind: 'ConfigMap', name })),
    ...claims.map((name): Named => ({ kind: 'PersistentVolumeClaim', name })),
    { kind: 'ServiceAccount', name: pod.serviceAccountName },
    { kind: 'PriorityClass', name: pod.priorityClassName },
  ];
  return named.flatMap(({ kind, name }) => (name === undefined ? [] : [{ kind, name }]));
}

function exists(manifests: readonly Manifest[], kind: Kind, name: string): boolean {
  return ofKind(manifests, kind).some(({ metadata }) => metadata.name === name);
}

function probedPorts({ startupProbe, readinessProbe, livenessProbe }: Container): (string | number)[] {
  return [startupProbe, readinessProbe, livenessProbe].flatMap((probe) =>
    probe?.httpGet === undefined ? [] : [probe.httpGet.port],
  );
}

function isPort(open: { name?: string; containerPort: number }, port: string | number): boolean {
  return open.name === port || open.containerPort === port;
}

function servicePort(manifests: readonly Manifest[], { name, port }: Backend): boolean {
  const service = ofKind(manifests, 'Service').find(({ metadata }) => metadata.name === name);
  return (service?.spec.ports ?? []).some((open) => open.name === port.name);
}

export const VIOLATIONS_OF_REFERENCES: Violations<typeof REFERENCES> = {
  'every config map, account, priority class and claim that is referenced exists': inService((container) => {
    container.envFrom = [{ configMapRef: { name: 'nowhere' } }];
  }),
  'every mount refers to a volume of its pod': inGateway(({ pod }) => {
    pod.volumes = [];
  }),
  'every workload selects its own pods and no others': inGateway(({ spec }) => {
    spec.selector = { matchLabels: { 'app.kubernetes.io/component': 'service' } };
  }),
  'every service routes to ports that one workload declares': inService((container) => {
    container.ports = [{ name: 'health', containerPort: 8081 }];
  }),
  'every address in the cluster that a setting names belongs to a service': inMap(
    'service-settings',
    (data) => {
      data.NATS_URL = 'tls://nats:4223';
    },
  ),
  'every probe uses a port that its container declares': inService((container) => {
    container.readinessProbe = { httpGet: { path: '/readyz', port: 'heath' } };
  }),
  'every ingress and scaler refers to an existing object': inGateway(({ spec }) => {
    spec.replicas = 3;
  }),
};
