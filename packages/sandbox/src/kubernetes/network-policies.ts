import { type KubernetesObject, LABEL, MANAGER } from './objects.js';

/** One for all sandboxes, so that it holds before a pod starts: what they may reach travels through their stream. */
export const SANDBOX_POLICY = denying('agentclash-sandboxes', { [LABEL.role]: 'sandbox' });

export function canaryPolicy(name: string, may: 'everything' | 'nothing'): NetworkPolicy {
  const policy = denying(name, { [LABEL.role]: 'canary', [LABEL.owner]: name });
  if (may === 'nothing') return policy;
  return { ...policy, spec: { ...policy.spec, egress: [{}] } };
}

interface NetworkPolicy extends KubernetesObject {
  apiVersion: string;
  kind: string;
  spec: { podSelector: object; policyTypes: string[]; ingress: object[]; egress: object[] };
}

function denying(name: string, matchLabels: Record<string, string>): NetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels: { [LABEL.managedBy]: MANAGER } },
    spec: { podSelector: { matchLabels }, policyTypes: ['Ingress', 'Egress'], ingress: [], egress: [] },
  };
}
