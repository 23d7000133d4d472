import type { SandboxStats } from '../contract.js';

/** In the order of `enum figure` in `native/figures.h`. */
const FIGURES = ['memoryBytes', 'memoryPeakBytes', 'cpuUs', 'processes', 'oomKills'] as const;
const UNKNOWN = 2n ** 64n - 1n;

/** What the process inside reads of its own cgroup; a figure that it cannot read is absent. */
export function decodeFigures(payload: Buffer): SandboxStats {
  const known = FIGURES.flatMap((name, index) => {
    const at = 8 * index;
    const value = at + 8 > payload.length ? UNKNOWN : payload.readBigUInt64LE(at);
    if (value === UNKNOWN) return [];
    return [name === 'cpuUs' ? ['cpuMs', Number(value) / 1000] : [name, Number(value)]];
  });
  return Object.fromEntries(known) as SandboxStats;
}
