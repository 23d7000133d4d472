import { type Container, type Manifest, type Workload, workloadsOf } from '../manifests/manifest.js';

/** Breaks something of what would be applied. */
export type Change = (manifests: Manifest[]) => void;

/** For each policy, what must break it; each of several by itself. */
export type Violations<Policies> = Record<keyof Policies, Change | readonly Change[]>;

export function inObject(kind: string, change: (manifest: Manifest) => void): Change {
  return (manifests) => {
    const found = manifests.find((manifest) => manifest.kind === kind);
    if (found) change(found);
  };
}

export function inMap(name: string, change: (data: Record<string, string>) => void): Change {
  return (manifests) => {
    for (const { kind, metadata, data } of manifests) {
      const isMeant = kind === 'ConfigMap' && metadata.name.startsWith(`${name}-`);
      if (isMeant) change(data as Record<string, string>);
    }
  };
}

export function inGateway(change: (workload: Workload) => void): Change {
  return (manifests) => {
    const found = workloadsOf(manifests).find(({ name }) => name === 'gateway');
    if (found) change(found);
  };
}

export function inService(change: (container: Container) => void) {
  return inGateway(({ pod }) => {
    for (const container of pod.containers) change(container);
  });
}
