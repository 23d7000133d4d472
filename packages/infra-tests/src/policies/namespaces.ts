import type { Policy } from './policy.js';

const HOME = 'agentclash';
export const SANDBOXES = 'agentclash-sandboxes';
/** Of no namespace. */
const CLUSTER_WIDE = new Set(['Namespace', 'PriorityClass', 'ClusterRole', 'ClusterRoleBinding']);
const BOUNDS = new Set(['NetworkPolicy', 'ResourceQuota', 'Role', 'RoleBinding', 'ServiceAccount']);

export const NAMESPACES = {
  // A budget, a scaler or a monitor elsewhere finds nothing of what it names.
  'everything lies in the namespace of the services, and beside sandboxes only what bounds them': (
    manifests,
  ) =>
    manifests
      .filter(({ kind, metadata: { namespace } }) => {
        if (CLUSTER_WIDE.has(kind)) return namespace !== undefined;
        return namespace !== HOME && !(namespace === SANDBOXES && BOUNDS.has(kind));
      })
      .map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`),
} satisfies Record<string, Policy>;
