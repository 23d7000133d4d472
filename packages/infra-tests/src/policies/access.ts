import { environmentOf } from '../environment/resolve.js';
import { type ObjectOf, ofKind } from '../manifests/kinds.js';
import { type Manifest, type Workload, workloadsOf } from '../manifests/manifest.js';
import { type Change, inGateway, inMap, inObject, type Policy, type Violations } from './policy.js';

const EXECUTOR = 'sandbox-executor';
const RBAC = 'rbac.authorization.k8s.io';
/** The requests of the executor's Kubernetes client, as `group/resource: verbs`; the core group has no name. */
const RIGHTS = [
  '/pods: create,delete,get,list,patch,watch',
  '/pods/exec: create,get',
  'networking.k8s.io/networkpolicies: create,delete,get,update',
];
/** Resources that packs could exhaust. */
const BOUNDED = ['pods', 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage'];
const HOME = 'agentclash';
export const SANDBOXES = 'agentclash-sandboxes';
/** Kinds without a namespace. */
const CLUSTER_WIDE = new Set([
  'Namespace',
  'PersistentVolume',
  'PriorityClass',
  'ClusterRole',
  'ClusterRoleBinding',
]);
const BOUNDS = new Set(['NetworkPolicy', 'ResourceQuota', 'Role', 'RoleBinding', 'ServiceAccount']);

export const ACCESS = {
  'every namespace enforces the restricted standard': (manifests) =>
    ofKind(manifests, 'Namespace')
      .filter(({ metadata }) => metadata.labels['pod-security.kubernetes.io/enforce'] !== 'restricted')
      .map(({ metadata }) => metadata.name),
  'the executor alone has a token of the cluster': (manifests) => [
    ...ofKind(manifests, 'ServiceAccount')
      .filter(({ metadata, automountServiceAccountToken = true }) => {
        return automountServiceAccountToken && metadata.name !== EXECUTOR;
      })
      .map(pathOf),
    ...workloadsOf(manifests)
      .filter((workload) => isGivenToken(manifests, workload) !== (workload.name === EXECUTOR))
      .map(({ name }) => name),
  ],
  'no account has rights in the whole cluster': (manifests) =>
    [...ofKind(manifests, 'ClusterRole'), ...ofKind(manifests, 'ClusterRoleBinding')].map(pathOf),
  'only the executor has rights, and only in the namespace of the sandboxes': (manifests) => {
    const roles = ofKind(manifests, 'Role').filter(({ metadata }) => metadata.namespace !== SANDBOXES);
    const bindings = ofKind(manifests, 'RoleBinding').filter(({ metadata, subjects }) => {
      const others = subjects.filter(
        ({ kind, name, namespace }) =>
          kind !== 'ServiceAccount' || name !== EXECUTOR || namespace !== 'agentclash',
      );
      return metadata.namespace !== SANDBOXES || others.length > 0;
    });
    return [...roles, ...bindings].map(pathOf);
  },
  'every role binding refers to a role of its own namespace': (manifests) =>
    ofKind(manifests, 'RoleBinding')
      .filter(({ metadata: { namespace }, roleRef: { apiGroup, kind, name } }) => {
        const isThere = ofKind(manifests, 'Role').some((role) => pathOf(role) === `${namespace}/${name}`);
        return apiGroup !== RBAC || kind !== 'Role' || !isThere;
      })
      .map(pathOf),
  'the executor has exactly the rights that it uses': (manifests) => {
    const given = ofKind(manifests, 'Role').flatMap(({ rules }) => rules.flatMap(rightsOf));
    return [
      ...given.filter((right) => !RIGHTS.includes(right)),
      ...RIGHTS.filter((right) => !given.includes(right)),
    ];
  },
  'sandboxes are created in the namespace where the executor has its rights': (manifests) =>
    workloadsOf(manifests)
      .filter(({ name }) => name === EXECUTOR)
      .flatMap(({ pod }) => pod.containers)
      .map((container) => environmentOf(manifests, container).values)
      .filter(
        ({ SANDBOX_PROVIDER, SANDBOX_NAMESPACE }) =>
          SANDBOX_PROVIDER !== 'kubernetes' || SANDBOX_NAMESPACE !== SANDBOXES,
      )
      .map(({ SANDBOX_PROVIDER, SANDBOX_NAMESPACE }) => `${SANDBOX_PROVIDER} in ${SANDBOX_NAMESPACE}`),
  'a quota bounds the resources of all sandboxes together': (manifests) => {
    const hard = ofKind(manifests, 'ResourceQuota')
      .filter(({ metadata }) => metadata.namespace === SANDBOXES)
      .flatMap(({ spec }) => Object.keys(spec.hard));
    return BOUNDED.filter((what) => !hard.includes(what));
  },
  // A budget, a scaler or a monitor in another namespace selects nothing.
  'every object is in the namespace of the services; that of the sandboxes holds only what restricts them or they may read':
    (manifests) =>
      manifests
        .filter((manifest) => {
          const { kind, metadata } = manifest;
          if (CLUSTER_WIDE.has(kind)) return metadata.namespace !== undefined;
          if (metadata.namespace === HOME) return false;
          return metadata.namespace !== SANDBOXES || !(BOUNDS.has(kind) || isReadOnlyClaim(manifest));
        })
        .map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`),
} satisfies Record<string, Policy>;

function isReadOnlyClaim(manifest: Manifest): boolean {
  const [claim] = ofKind([manifest], 'PersistentVolumeClaim');
  return claim?.spec.accessModes.join() === 'ReadOnlyMany';
}

/** A rule that is limited to names or paths is none of the rights that the executor uses. */
function rightsOf(rule: ObjectOf<'Role'>['rules'][number]): string[] {
  const { apiGroups, resources, verbs, resourceNames, nonResourceURLs } = rule;
  const narrowed = [...resourceNames, ...nonResourceURLs].map((name) => ` of ${name}`).join('');
  const resourcePaths = apiGroups.flatMap((group) => resources.map((resource) => `${group}/${resource}`));
  return [...resourcePaths, ...nonResourceURLs].map(
    (resourcePath) => `${resourcePath}${narrowed}: ${verbs.toSorted().join(',')}`,
  );
}

function isGivenToken(manifests: readonly Manifest[], { pod, namespace }: Workload): boolean {
  const account = ofKind(manifests, 'ServiceAccount').find(
    ({ metadata }) => metadata.name === pod.serviceAccountName && metadata.namespace === namespace,
  );
  const isProjected = pod.volumes?.some(({ projected }) =>
    projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined),
  );
  const isMounted = pod.automountServiceAccountToken ?? account?.automountServiceAccountToken ?? true;
  return isMounted || isProjected === true;
}

function pathOf({ metadata: { namespace, name } }: { metadata: { namespace: string; name: string } }) {
  return `${namespace}/${name}`;
}

export const VIOLATIONS_OF_ACCESS: Violations<typeof ACCESS> = {
  'every namespace enforces the restricted standard': inObject('Namespace', ({ metadata }) => {
    delete metadata.labels;
  }),
  'the executor alone has a token of the cluster': [
    inGateway(({ pod }) => {
      pod.automountServiceAccountToken = true;
    }),
    inGateway(({ pod }) => {
      pod.volumes = [{ name: 'token', projected: { sources: [{ serviceAccountToken: {} }] } }];
    }),
    (manifests) => {
      for (const manifest of manifests.filter(({ kind }) => kind === 'ServiceAccount')) {
        manifest.automountServiceAccountToken = false;
      }
    },
  ],
  'no account has rights in the whole cluster': (manifests) => {
    manifests.push({ apiVersion: 'rbac/v1', kind: 'ClusterRole', metadata: { name: 'all' } });
  },
  'only the executor has rights, and only in the namespace of the sandboxes': inObject(
    'RoleBinding',
    (binding) => {
      binding.subjects = [{ kind: 'ServiceAccount', name: 'gateway', namespace: 'agentclash' }];
    },
  ),
  'every role binding refers to a role of its own namespace': [
    inObject('RoleBinding', (binding) => {
      binding.roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' };
    }),
    inObject('Role', ({ metadata }) => {
      metadata.namespace = 'agentclash';
    }),
  ],
  'the executor has exactly the rights that it uses': [
    inRules((rules) => [...rules, { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]),
    inRules((rules) => rules.map((rule) => ({ ...rule, apiGroups: ['extensions'] }))),
    inRules((rules) => rules.map((rule) => ({ ...rule, resourceNames: ['one'] }))),
    inRules((rules) => [...rules, { nonResourceURLs: ['/metrics'], verbs: ['get'] }]),
  ],
  'sandboxes are created in the namespace where the executor has its rights': inMap(
    'executor-settings',
    (data) => {
      data.SANDBOX_NAMESPACE = 'agentclash';
    },
  ),
  'a quota bounds the resources of all sandboxes together': inObject('ResourceQuota', ({ spec }) => {
    if (spec) spec.hard = { pods: '500' };
  }),
  'every object is in the namespace of the services; that of the sandboxes holds only what restricts them or they may read':
    [
      inObject('PodDisruptionBudget', ({ metadata }) => {
        metadata.namespace = 'agentclash-sandboxes';
      }),
      inObject('ServiceMonitor', ({ metadata }) => {
        metadata.namespace = 'monitoring';
      }),
      inObject('ScaledObject', ({ metadata }) => {
        delete metadata.namespace;
      }),
      (manifests) => {
        manifests.push({
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'agent-packages', namespace: 'agentclash-sandboxes' },
          spec: { accessModes: ['ReadOnlyMany', 'ReadWriteMany'] },
        });
      },
    ],
};

function inRules(change: (rules: object[]) => object[]): Change {
  return inObject('Role', (role) => {
    role.rules = change(role.rules as object[]);
  });
}
