import type { ACCESS } from './access.js';
import { type Change, inGateway, inMap, inObject, type Violations } from './violation.js';

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
