import { describe, expect, test } from '@jest/globals';
import { ofKind } from '../manifests/kinds.js';
import { type Manifest, workloadsOf } from '../manifests/manifest.js';
import { hasKubectl, OVERLAYS, renderGuide, renderOverlay, renderWith } from '../manifests/render.js';
import { ACCESS_TO_THE_CLUSTER } from './access.js';
import { AVAILABILITY } from './availability.js';
import { BUS } from './bus.js';
import { MEMORY } from './memory.js';
import { MIGRATIONS } from './migrations.js';
import { POD_SECURITY } from './pod-security.js';
import type { Policy } from './policy.js';
import { PROCESSES } from './processes.js';
import { REFERENCES } from './references.js';
import { SECRETS } from './secrets.js';

const POLICIES: Record<string, Policy> = {
  ...POD_SECURITY,
  ...AVAILABILITY,
  ...ACCESS_TO_THE_CLUSTER,
  ...REFERENCES,
  ...PROCESSES,
  ...MEMORY,
  ...MIGRATIONS,
  ...SECRETS,
  ...BUS,
};
type Change = (manifests: Manifest[]) => void;

/** For each policy, what must break it. */
const BREACHES: Record<keyof typeof POLICIES, Change> = {
  'no container runs as root': inGateway(({ pod }) => {
    pod.securityContext = { ...pod.securityContext, runAsUser: 0 };
  }),
  'no root file system can be written': inService((container) => {
    container.securityContext = { ...container.securityContext, readOnlyRootFilesystem: false };
  }),
  'no container has or gains a privilege': inService((container) => {
    container.securityContext = { ...container.securityContext, capabilities: { drop: [] } };
  }),
  'no pod sees its node': inGateway(({ pod }) => {
    pod.volumes = [{ name: 'node', hostPath: {} }];
  }),
  'every container has requests and limits': inService((container) => {
    container.resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1' } };
  }),
  'every volume in memory or on the node has a size': inGateway(({ pod }) => {
    pod.volumes = [{ name: 'tmp', emptyDir: {} }];
  }),
  'every image has a version, and none is "latest"': inService((container) => {
    container.image = 'agentclash/gateway:latest';
  }),
  'all images of ours are of one version': inService((container) => {
    container.image = 'agentclash/gateway:0.0.9';
  }),
  'whatever lasts has all probes': inService((container) => {
    delete container.livenessProbe;
  }),
  'services are asked for their life and their readiness, each at its own door': inService((container) => {
    container.livenessProbe = { httpGet: { path: '/readyz', port: 'health' } };
  }),
  'a service gets longer to stop than it may take, and than a lease': inGateway(({ pod }) => {
    pod.terminationGracePeriodSeconds = 30;
  }),
  'a roll-out takes nothing away before its successor is ready': inGateway(({ spec }) => {
    spec.strategy = { type: 'Recreate' };
  }),
  'each disruption budget is for one workload, and lets nodes be drained': inObject(
    'PodDisruptionBudget',
    ({ spec }) => {
      if (spec) spec.selector = { matchLabels: { 'app.kubernetes.io/part-of': 'agentclash' } };
    },
  ),
  'whatever may have several pods has a disruption budget, and spreads them over nodes and zones': inGateway(
    ({ pod }) => {
      for (const constraint of pod.topologySpreadConstraints ?? []) delete constraint.matchLabelKeys;
    },
  ),
  'what holds state or decides comes before executors': inGateway(({ pod }) => {
    pod.priorityClassName = 'agentclash-execution';
  }),
  "executors take nobody's place, and no priority is given to pods of others": inObject(
    'PriorityClass',
    (priority) => {
      priority.globalDefault = true;
    },
  ),
  'every namespace enforces the restricted standard': inObject('Namespace', ({ metadata }) => {
    delete metadata.labels;
  }),
  'only the executor is given a token of the cluster': inGateway(({ pod }) => {
    pod.automountServiceAccountToken = true;
  }),
  'nobody has rights in the whole cluster': (manifests) => {
    manifests.push({ apiVersion: 'rbac/v1', kind: 'ClusterRole', metadata: { name: 'all' } });
  },
  'only the executor has rights, and only among the sandboxes': inObject('RoleBinding', (binding) => {
    binding.subjects = [{ kind: 'ServiceAccount', name: 'gateway', namespace: 'agentclash' }];
  }),
  'the executor has the rights that it uses, and no other': inObject('Role', (role) => {
    role.rules = [{ resources: ['secrets'], verbs: ['get'] }];
  }),
  'sandboxes are made where the executor has its rights': inMap('executor-settings', (data) => {
    data.SANDBOX_NAMESPACE = 'agentclash';
  }),
  'sandboxes are bounded together, whatever packs ask for': inObject('ResourceQuota', ({ spec }) => {
    if (spec) spec.hard = { pods: '500' };
  }),
  'every config map, account, priority and claim that is named is there': inService((container) => {
    container.envFrom = [{ configMapRef: { name: 'nowhere' } }];
  }),
  'every mount is of a volume': inGateway(({ pod }) => {
    pod.volumes = [];
  }),
  'every workload selects its own pods and nobody else': inGateway(({ spec }) => {
    spec.selector = { matchLabels: { 'app.kubernetes.io/component': 'service' } };
  }),
  'every service leads to ports that one workload opens': inService((container) => {
    container.ports = [{ name: 'health', containerPort: 8081 }];
  }),
  'every address of this cluster that is named is one of a service': inMap('service-settings', (data) => {
    data.NATS_URL = 'tls://nats:4223';
  }),
  'every probe asks a port that is open': inService((container) => {
    container.readinessProbe = { httpGet: { path: '/readyz', port: 'heath' } };
  }),
  'every ingress and scaler leads to what is there': inGateway(({ spec }) => {
    spec.replicas = 3;
  }),
  'the heaps of a service and its threads leave room below its limit of memory': inService((container) => {
    container.resources = { limits: { memory: '400Mi' } };
  }),
  'the heap of a NATS server leaves room below its limit of memory': (manifests) => {
    const nats = workloadsOf(manifests).find(({ name }) => name === 'nats');
    for (const container of nats?.pod.containers ?? []) delete container.env;
  },
  'every service can write temporary files': inService((container) => {
    container.volumeMounts = [];
  }),
  'every file and folder that a setting names is in a volume': inService((container) => {
    container.env = [{ name: 'BLOB_SPOOL_FOLDER', value: '/spool' }];
  }),
  'every service listens, for all to reach, at the ports that its pod opens': inMap(
    'service-settings',
    (data) => {
      data.METRICS_HOST = '127.0.0.1';
    },
  ),
  'a service has minutes to find its bus before it is started anew': inService(({ startupProbe }) => {
    if (startupProbe) startupProbe.failureThreshold = 3;
  }),
  'the log of a migration that failed can be read': inObject('Job', ({ spec }) => {
    if (spec) spec.ttlSecondsAfterFinished = 60;
  }),
  'a migration is applied in one wave with the account and the secrets that it needs': inObject(
    'Job',
    ({ metadata }) => {
      metadata.annotations = { ...metadata.annotations, 'argocd.argoproj.io/sync-wave': '-1' };
    },
  ),
  'a migration can be applied again with the next image': inObject('Job', ({ metadata }) => {
    delete metadata.annotations;
  }),
  'no secret is written into anything but a secret': inService((container) => {
    container.env = [{ name: 'NATS_NKEY_SEED', value: 'said openly' }];
  }),
  'a NATS server hands its clients over before it is ended': inMap('nats-server', (data) => {
    data['server.conf'] = data['server.conf']?.replace('"30s"', '"90s"') ?? '';
  }),
  'what streams may hold fits into the volume of a NATS server': inMap('nats-server', (data) => {
    data['server.conf'] = data['server.conf']?.replace('16106127360', '32212254720') ?? '';
  }),
  'each service and its migration have the account and the secrets of that service alone': inGateway(
    ({ pod }) => {
      pod.volumes = [{ name: 'keys', secret: { secretName: 'secrets-vault-keys' } }];
    },
  ),
};

(hasKubectl() ? describe : describe.skip)('what would be applied to a cluster', () => {
  describe.each(OVERLAYS)('by the overlay %s', (overlay) => {
    const manifests = renderOverlay(overlay);
    test.each(Object.keys(POLICIES))('%s', (name) => expect(POLICIES[name]?.(manifests)).toEqual([]));
  });

  test('by the overlay prod lives through the loss of any one node', () => {
    const manifests = renderOverlay('prod');
    const scaled = new Map([
      ...ofKind(manifests, 'ScaledObject').map(
        ({ spec }) => [spec.scaleTargetRef.name, spec.minReplicaCount] as const,
      ),
      ...ofKind(manifests, 'HorizontalPodAutoscaler').map(
        ({ spec }) => [spec.scaleTargetRef.name, spec.minReplicas] as const,
      ),
    ]);
    const alone = ofKind(manifests, 'Deployment').filter(
      ({ metadata, spec }) => (scaled.get(metadata.name) ?? spec.replicas ?? 1) < 2,
    );
    expect(alone.map(({ metadata }) => metadata.name)).toEqual([]);
    const nats = workloadsOf(manifests).find(({ name }) => name === 'nats');
    expect(nats?.spec.replicas).toBe(3);
    expect(nats?.pod.topologySpreadConstraints).toContainEqual(
      expect.objectContaining({ topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' }),
    );
  });

  test('keeps every policy with the components that one may add', () => {
    const more = ['external-secrets', 'nats-certificates', 'oidc', 'tracing', 'gvisor'];
    for (const manifests of [renderWith('prod', more), renderWith('dev', ['hpa'])]) {
      for (const policy of Object.values(POLICIES)) expect(policy(manifests)).toEqual([]);
    }
  });

  test('keeps every policy with the overlay that the guide shows, in which all that it changes is changed', () => {
    const manifests = renderGuide();
    for (const policy of Object.values(POLICIES)) expect(policy(manifests)).toEqual([]);
    const text = JSON.stringify(manifests);
    const changed = ['registry.example.com/agentclash/gateway', 'clash.example.org', 'public', 'my-bucket'];
    expect(changed.filter((word) => !text.includes(`"${word}`))).toEqual([]);
    const addresses = ofKind(manifests, 'NetworkPolicy')
      .filter(({ metadata }) => /^(database-of|kubernetes-api)/.test(metadata.name))
      .flatMap(({ spec }) => spec.egress.flatMap(({ to = [] }) => to.map(({ ipBlock }) => ipBlock?.cidr)));
    expect(addresses).toEqual(['10.20.0.0/24', '10.20.0.0/24', '10.0.0.10/32']);
    expect(text).not.toContain('agentclash.example.com');
  });

  describe('is refused where it does not keep this', () => {
    const text = JSON.stringify(renderOverlay('prod'));
    test.each(Object.keys(POLICIES))('%s', (name) => {
      const manifests = JSON.parse(text) as Manifest[];
      BREACHES[name]?.(manifests);
      expect(POLICIES[name]?.(manifests)).not.toEqual([]);
    });
  });
});

function inObject(kind: string, change: (manifest: Manifest) => void): Change {
  return (manifests) => {
    const found = manifests.find((manifest) => manifest.kind === kind);
    if (found) change(found);
  };
}

function inMap(name: string, change: (data: Record<string, string>) => void): Change {
  return (manifests) => {
    for (const { kind, metadata, data } of manifests) {
      const isMeant = kind === 'ConfigMap' && metadata.name.startsWith(`${name}-`);
      if (isMeant) change(data as Record<string, string>);
    }
  };
}

function inGateway(change: (workload: ReturnType<typeof workloadsOf>[number]) => void): Change {
  return (manifests) => {
    const found = workloadsOf(manifests).find(({ name }) => name === 'gateway');
    if (found) change(found);
  };
}

function inService(
  change: (container: ReturnType<typeof workloadsOf>[number]['pod']['containers'][number]) => void,
) {
  return inGateway(({ pod }) => {
    for (const container of pod.containers) change(container);
  });
}
