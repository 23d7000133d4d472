import { type Container, containersOf, type Workload, workloadsOf } from '../manifests/manifest.js';
import type { Policy } from './policy.js';

type Fault = (container: Container, workload: Workload) => string | undefined;

/** A rule for every container there is. */
export function everyContainer(fault: Fault): Policy {
  return (manifests) =>
    workloadsOf(manifests).flatMap((workload) =>
      containersOf(workload).flatMap((container) => {
        const found = fault(container, workload);
        return found === undefined ? [] : [`${workload.name}/${container.name}: ${found}`];
      }),
    );
}
