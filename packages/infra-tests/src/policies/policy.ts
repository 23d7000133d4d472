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
