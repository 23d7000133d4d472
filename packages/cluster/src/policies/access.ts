import { environmentOf } from '../environment/resolve.js';
import { ofKind } from '../manifests/kinds.js';
import { workloadsOf } from '../manifests/manifest.js';
import type { Policy } from './policy.js';

const SANDBOXES = 'agentclash-sandboxes';
const EXECUTOR = 'sandbox-executor';
/** What the executor's client of the cluster asks for, as `resource: verbs`. */
const RIGHTS = [
  'pods: create,delete,get,list,patch,watch',
  'pods/exec: create,get',
  'networkpolicies: create,delete,get,update',
];
/** What a pack could exhaust. */
const BOUNDED = ['pods', 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage'];

export const ACCESS_TO_THE_CLUSTER = {
  'every namespace enforces the restricted standard': (manifests) =>
    ofKind(manifests, 'Namespace')
      .filter(({ metadata }) => metadata.labels['pod-security.kubernetes.io/enforce'] !== 'restricted')
      .map(({ metadata }) => metadata.name),
  'only the executor is given a token of the cluster': (manifests) => [
    ...ofKind(manifests, 'ServiceAccount')
      .filter(({ metadata, automountServiceAccountToken = true }) => {
        return automountServiceAccountToken && metadata.name !== EXECUTOR;
      })
      .map(placeOf),
    ...workloadsOf(manifests)
      .filter((workload) => {
        const account = ofKind(manifests, 'ServiceAccount').find(
          ({ metadata }) =>
            metadata.name === workload.pod.serviceAccountName && metadata.namespace === workload.namespace,
        );
        return workload.pod.automountServiceAccountToken ?? account?.automountServiceAccountToken ?? true;
      })
      .map(({ name }) => name)
      .filter((name) => name !== EXECUTOR),
  ],
  'nobody has rights in the whole cluster': (manifests) =>
    [...ofKind(manifests, 'ClusterRole'), ...ofKind(manifests, 'ClusterRoleBinding')].map(placeOf),
  'only the executor has rights, and only among the sandboxes': (manifests) => {
    const roles = ofKind(manifests, 'Role').filter(({ metadata }) => metadata.namespace !== SANDBOXES);
    const bindings = ofKind(manifests, 'RoleBinding').filter(({ metadata, subjects }) => {
      const others = subjects.filter(
        ({ kind, name, namespace }) =>
          kind !== 'ServiceAccount' || name !== EXECUTOR || namespace !== 'agentclash',
      );
      return metadata.namespace !== SANDBOXES || others.length > 0;
    });
    return [...roles, ...bindings].map(placeOf);
  },
  'the executor has the rights that it uses, and no other': (manifests) => {
    const given = ofKind(manifests, 'Role').flatMap(({ rules }) =>
      rules.flatMap(({ resources, verbs }) =>
        resources.map((resource) => `${resource}: ${verbs.toSorted().join(',')}`),
      ),
    );
    return [
      ...given.filter((right) => !RIGHTS.includes(right)),
      ...RIGHTS.filter((right) => !given.includes(right)),
    ];
  },
  'sandboxes are made where the executor has its rights': (manifests) =>
    workloadsOf(manifests)
      .filter(({ name }) => name === EXECUTOR)
      .flatMap(({ pod }) => pod.containers)
      .map((container) => environmentOf(manifests, container).values)
      .filter(
        ({ SANDBOX_PROVIDER, SANDBOX_NAMESPACE }) =>
          SANDBOX_PROVIDER !== 'kubernetes' || SANDBOX_NAMESPACE !== SANDBOXES,
      )
      .map(({ SANDBOX_PROVIDER, SANDBOX_NAMESPACE }) => `${SANDBOX_PROVIDER} in ${SANDBOX_NAMESPACE}`),
  'sandboxes are bounded together, whatever packs ask for': (manifests) => {
    const hard = ofKind(manifests, 'ResourceQuota')
      .filter(({ metadata }) => metadata.namespace === SANDBOXES)
      .flatMap(({ spec }) => Object.keys(spec.hard));
    return BOUNDED.filter((what) => !hard.includes(what));
  },
} satisfies Record<string, Policy>;

function placeOf({ metadata: { namespace, name } }: { metadata: { namespace: string; name: string } }) {
  return `${namespace}/${name}`;
}
