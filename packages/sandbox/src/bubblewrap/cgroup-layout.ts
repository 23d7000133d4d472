import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const PRESSURE_FILE = 'cpu.pressure';

const CONTROLLERS = ['memory', 'pids', 'cpu'] as const;
/** `pressure`: no controller; a group of version 2 that counts for how long its processes waited for CPU. */
export type Controller = (typeof CONTROLLERS)[number] | 'cpuacct' | 'pressure';

/** Where each controller's groups of this provider live. In version 2 all share one directory. */
export interface CgroupLayout {
  version: 1 | 2;
  name: string;
  parents: Partial<Record<Controller, string>>;
}

export type LayoutResult = { layout: CgroupLayout } | { problem: string };

interface CgroupMount {
  version: 1 | 2;
  mountPoint: string;
  controllers: readonly string[];
}

/**
 * Finds writable memory, pids and cpu controllers and makes `name` below them. Version 1 wins where a machine has
 * both, because a controller mounted there is absent from version 2.
 */
export function prepareCgroups(name: string): LayoutResult {
  const mounts = parseCgroupMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  const first = mounts.filter((mount) => mount.version === 1);
  const second = mounts.find((mount) => mount.version === 2);
  try {
    if (first.some((mount) => mount.controllers.includes('memory')))
      return prepareVersion1(first, { name, second });
    if (second) return prepareVersion2(second, name);
    return { problem: 'no cgroup hierarchy is mounted' };
  } catch (error) {
    return {
      problem: `cgroups are not writable (${error instanceof Error ? error.message : String(error)})`,
    };
  }
}

export function parseCgroupMounts(mountinfo: string): CgroupMount[] {
  const mounts: CgroupMount[] = [];
  for (const line of mountinfo.split('\n')) {
    const [left = '', right = ''] = line.split(' - ');
    const mountPoint = left.split(' ')[4];
    const [kind, , options = ''] = right.split(' ');
    if (mountPoint === undefined) continue;
    if (kind === 'cgroup2') mounts.push({ version: 2, mountPoint, controllers: [] });
    if (kind === 'cgroup') mounts.push({ version: 1, mountPoint, controllers: options.split(',') });
  }
  return mounts;
}

function prepareVersion1(
  mounts: CgroupMount[],
  { name, second }: { name: string; second: CgroupMount | undefined },
): LayoutResult {
  const parents: CgroupLayout['parents'] = {};
  const pressure = second && preparePressure(path.join(second.mountPoint, name));
  if (pressure !== undefined) parents.pressure = pressure;
  // Each hierarchy takes time to join, and groups that count pressure count the use of CPU, too.
  const wanted = pressure === undefined ? ([...CONTROLLERS, 'cpuacct'] as const) : CONTROLLERS;
  for (const controller of wanted) {
    const mount = mounts.find((candidate) => candidate.controllers.includes(controller));
    if (!mount) {
      if (controller === 'cpuacct') continue;
      return { problem: `the ${controller} cgroup controller is not mounted` };
    }
    parents[controller] = path.join(mount.mountPoint, name);
    mkdirSync(path.join(mount.mountPoint, name), { recursive: true });
  }
  return { layout: { version: 1, name, parents } };
}

/** The parent of groups that only measure; undefined where the kernel does not, or they cannot be made. */
function preparePressure(parent: string): string | undefined {
  try {
    mkdirSync(parent, { recursive: true });
    if (existsSync(path.join(parent, PRESSURE_FILE))) return parent;
    rmdirSync(parent);
  } catch {
    // mounted read-only, or in use by another process of ours
  }
  return undefined;
}

function prepareVersion2(mount: CgroupMount, name: string): LayoutResult {
  const available = readFileSync(path.join(mount.mountPoint, 'cgroup.controllers'), 'utf8').trim().split(' ');
  const missing = CONTROLLERS.filter((controller) => !available.includes(controller));
  if (missing.length > 0) return { problem: `cgroup controllers are missing: ${missing.join(', ')}` };
  const parent = path.join(mount.mountPoint, name);
  if (!existsSync(parent)) mkdirSync(parent);
  const all = CONTROLLERS.map((controller) => `+${controller}`).join(' ');
  for (const directory of [mount.mountPoint, parent]) {
    writeFileSync(path.join(directory, 'cgroup.subtree_control'), all);
  }
  const parents: CgroupLayout['parents'] = { memory: parent, pids: parent, cpu: parent };
  if (existsSync(path.join(parent, PRESSURE_FILE))) parents.pressure = parent;
  return { layout: { version: 2, name, parents } };
}

/** Takes the groups of the whole provider away again, unless another process still has sandboxes in them. */
export function removeCgroups(layout: CgroupLayout): void {
  for (const parent of new Set(Object.values(layout.parents))) {
    try {
      rmdirSync(parent);
    } catch {
      // in use, or gone already
    }
  }
}
