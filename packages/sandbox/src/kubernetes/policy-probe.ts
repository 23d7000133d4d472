import { INSIDE_PATH } from '../remote/remote-sandbox.js';
import type { KubernetesApi } from './api.js';
import { canaryName, runInCanary, startCanary } from './canary.js';
import { type KubernetesObject, LABEL, MANAGER } from './objects.js';
import type { KubernetesOptions } from './options.js';
import { removePod } from './pods.js';

/** One for all sandboxes, so that it holds before a pod starts: what they may reach travels through their stream. */
export const SANDBOX_POLICY = denying('agentclash-sandboxes', { [LABEL.role]: 'sandbox' });

function canaryPolicy(name: string, may: 'everything' | 'nothing'): NetworkPolicy {
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

/** `unproven`: not even an allowed connection could be made, so that a refused one proves nothing. */
export type Enforcement = 'enforced' | 'not_enforced' | 'unproven';

export interface PolicyProbe {
  api: KubernetesApi;
  options: KubernetesOptions;
  /** Numeric address and port of something that listens in the cluster: its API server. */
  target: { host: string; port: number };
  /** Time in which a change of policy reaches the nodes. */
  settleMs?: number;
}

const SETTLE_MS = 15_000;
const POLL_INTERVAL_MS = 500;
/** A pod that may connect must, and once it may not must not: only then policies are known to hold. */
export async function probePolicies({
  api,
  options,
  target,
  settleMs = SETTLE_MS,
}: PolicyProbe): Promise<Enforcement> {
  const name = canaryName();
  const probe = [INSIDE_PATH, 'probe', target.host, String(target.port)];
  const reaches = async () => (await runInCanary(api, name, probe)) === 0;
  try {
    await api.putNetworkPolicy(canaryPolicy(name, 'everything'));
    await startCanary({ api, options, name });
    if (!(await becomes(reaches, settleMs))) return 'unproven';
    await api.putNetworkPolicy(canaryPolicy(name, 'nothing'));
    return (await becomes(async () => !(await reaches()), settleMs)) ? 'enforced' : 'not_enforced';
  } finally {
    await removePod(api, name).finally(() => api.delete('networkpolicies', name));
  }
}

async function becomes(isSo: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await isSo()) return true;
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}
