import type { ExecutorReport } from '@agentclash/contracts';
import type { Machine } from '../attempts/machine.js';

/** What this executor tells the orchestrator of itself. */
export async function executorReport(machine: Machine): Promise<ExecutorReport> {
  const { executorId, attemptsMax, sandboxes } = machine;
  const { packages, templates, egressProxy } = sandboxes.capabilities;
  const images = [null, ...templates].map(async (template) => ({
    template,
    packages: [...(await sandboxes.installedPackages(template ?? undefined))].sort(),
    installs: sandboxes.installsPackages(template ?? undefined),
  }));
  return {
    executor_id: executorId,
    provider: sandboxes.name,
    isolation: sandboxes.isolation,
    attempts_max: attemptsMax,
    capabilities: { packages, egress_proxy: egressProxy },
    images: await Promise.all(images),
  };
}
