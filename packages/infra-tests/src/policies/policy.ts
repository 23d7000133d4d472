import {
  type Container,
  containersOf,
  type Manifest,
  type Workload,
  workloadsOf,
} from '../manifests/manifest.js';

/** Checks all manifests that are applied together; returns the violations, by object. */
export type Policy = (manifests: readonly Manifest[]) => string[];

type Check = (container: Container, workload: Workload) => string | undefined;

/** A policy that checks every container. */
export function everyContainer(check: Check): Policy {
  return (manifests) =>
    workloadsOf(manifests).flatMap((workload) =>
      containersOf(workload).flatMap((container) => {
        const found = check(container, workload);
        return found === undefined ? [] : [`${workload.name}/${container.name}: ${found}`];
      }),
    );
}

/** Changes manifests so that they violate a policy. */
export type Change = (manifests: Manifest[]) => void;

/** The changes that each policy must reject, one at a time. */
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
