import type { ReapReport } from '../contract.js';
import type { KubernetesApi } from './api.js';
import { ANNOTATION, type KubernetesPod, LABEL, labelValue, MANAGER } from './objects.js';

const LEASE_SLACK_MS = 60_000;

export interface SweepScope {
  api: KubernetesApi;
  owner: string;
  /** Names of the pods that this process has. */
  live: ReadonlySet<string>;
}

/** Cleanup in a cluster: deletes the pods that an earlier process of this owner left, and those of any owner whose lease has run out. */
export async function sweep({ api, owner, live }: SweepScope): Promise<ReapReport> {
  const removed: string[] = [];
  for (const pod of await api.listPods(`${LABEL.managedBy}=${MANAGER}`)) {
    const { name } = pod.metadata;
    const isOurs = pod.metadata.labels?.[LABEL.owner] === labelValue(owner);
    if (live.has(name) || !(isOurs || hasExpired(pod, api.now()))) continue;
    await api.deletePod(name);
    removed.push(name);
  }
  return { removed };
}

function hasExpired({ metadata }: KubernetesPod, now: number): boolean {
  const until = Date.parse(metadata.annotations?.[ANNOTATION.leaseUntil] ?? '');
  return !Number.isNaN(until) && until + LEASE_SLACK_MS < now;
}
