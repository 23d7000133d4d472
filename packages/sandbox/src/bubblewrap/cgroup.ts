import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxStats } from '../contract.js';
import { CPU_PERIOD_MS } from '../cpu/starvation.js';
import { type CgroupLayout, type Controller, prepareCgroups } from './cgroup-layout.js';

export interface CgroupLimits {
  memoryBytes: number;
  pids: number;
  cpu: number;
}

const CPU_PERIOD_US = CPU_PERIOD_MS * 1_000;
/** Reserve above the limit that binds commands (RLIMIT_NPROC), for the processes that start and watch further ones. */
const OWN_PROCESSES = 80;
const REMOVE_TIMEOUT_MS = 5_000;

interface Setting {
  controller: Controller;
  file: string;
  value: (limits: CgroupLimits) => string;
  /** Absent on kernels without swap accounting. */
  isOptional?: boolean;
}

const memory = (limits: CgroupLimits) => String(Math.floor(limits.memoryBytes));
const pids = (limits: CgroupLimits) => String(Math.floor(limits.pids) + OWN_PROCESSES);
const quota = (limits: CgroupLimits) => Math.max(1000, Math.floor(limits.cpu * CPU_PERIOD_US));

const SETTINGS: Record<CgroupLayout['version'], readonly Setting[]> = {
  1: [
    { controller: 'memory', file: 'memory.limit_in_bytes', value: memory },
    { controller: 'memory', file: 'memory.memsw.limit_in_bytes', value: memory, isOptional: true },
    { controller: 'pids', file: 'pids.max', value: pids },
    { controller: 'cpu', file: 'cpu.cfs_period_us', value: () => String(CPU_PERIOD_US) },
    { controller: 'cpu', file: 'cpu.cfs_quota_us', value: (limits) => String(quota(limits)) },
  ],
  2: [
    { controller: 'memory', file: 'memory.max', value: memory },
    { controller: 'memory', file: 'memory.swap.max', value: () => '0', isOptional: true },
    { controller: 'pids', file: 'pids.max', value: pids },
    { controller: 'cpu', file: 'cpu.max', value: (limits) => `${quota(limits)} ${CPU_PERIOD_US}` },
  ],
};

interface Gauge {
  controller: Controller;
  file: string;
  read: (text: string) => number | undefined;
}

const whole = (text: string) => Number(text);
const keyed = (key: string, divisor = 1) => {
  const pattern = new RegExp(`^${key} (\\d+)$`, 'm');
  return (text: string) => {
    const found = pattern.exec(text)?.[1];
    return found === undefined ? undefined : Number(found) / divisor;
  };
};

const GAUGES: Record<CgroupLayout['version'], { [G in keyof SandboxStats]-?: Gauge }> = {
  1: {
    memoryBytes: { controller: 'memory', file: 'memory.usage_in_bytes', read: whole },
    memoryPeakBytes: { controller: 'memory', file: 'memory.max_usage_in_bytes', read: whole },
    cpuMs: { controller: 'cpuacct', file: 'cpuacct.usage', read: (text) => Number(text) / 1e6 },
    processes: { controller: 'pids', file: 'pids.current', read: whole },
    oomKills: { controller: 'memory', file: 'memory.oom_control', read: keyed('oom_kill') },
  },
  2: {
    memoryBytes: { controller: 'memory', file: 'memory.current', read: whole },
    memoryPeakBytes: { controller: 'memory', file: 'memory.peak', read: whole },
    cpuMs: { controller: 'cpu', file: 'cpu.stat', read: keyed('usage_usec', 1000) },
    processes: { controller: 'pids', file: 'pids.current', read: whole },
    oomKills: { controller: 'memory', file: 'memory.events', read: keyed('oom_kill') },
  },
};

/** In version 1, where a group of version 2 counts in place of `cpuacct`. */
const CPU_OF_PRESSURE: Gauge = {
  controller: 'pressure',
  file: 'cpu.stat',
  read: keyed('usage_usec', 1000),
};

/** The limits of one sandbox: a group in each hierarchy, gone after `remove`. */
export class Cgroup {
  private constructor(
    private readonly version: CgroupLayout['version'],
    private readonly groups: Partial<Record<Controller, string>>,
  ) {}

  static create(layout: CgroupLayout, id: string, limits: CgroupLimits): Cgroup {
    const cgroup = Cgroup.existing(layout, id);
    try {
      cgroup.#makeDirectories(layout);
      for (const setting of SETTINGS[layout.version]) cgroup.#apply(setting, limits);
    } catch (error) {
      void cgroup.remove().catch(() => {});
      throw error;
    }
    return cgroup;
  }

  /** The groups of a sandbox that some process created. */
  static existing(layout: CgroupLayout, id: string): Cgroup {
    const groups: Partial<Record<Controller, string>> = {};
    for (const [controller, parent] of Object.entries(layout.parents)) {
      groups[controller as Controller] = path.join(parent, id);
    }
    return new Cgroup(layout.version, groups);
  }

  get directories(): string[] {
    return [...new Set(Object.values(this.groups))];
  }

  /** A process that writes `0` to each of these joins the group. */
  get joinFiles(): string[] {
    return this.directories.map((directory) => path.join(directory, 'cgroup.procs'));
  }

  directoryOf(controller: Controller): string | undefined {
    return this.groups[controller];
  }

  oomKills(): number | undefined {
    const gauge = GAUGES[this.version].oomKills;
    const directory = this.groups[gauge.controller];
    if (directory === undefined) return undefined;
    try {
      return gauge.read(readFileSync(path.join(directory, gauge.file), 'utf8'));
    } catch {
      return undefined;
    }
  }

  async stats(): Promise<SandboxStats> {
    const stats: SandboxStats = {};
    const gauges = Object.entries(GAUGES[this.version]) as [keyof SandboxStats, Gauge][];
    await Promise.all(
      gauges.map(async ([name, counted]) => {
        const gauge = counted.controller === 'cpuacct' && this.groups.pressure ? CPU_OF_PRESSURE : counted;
        const directory = this.groups[gauge.controller];
        if (directory === undefined) return;
        const text = await readFile(path.join(directory, gauge.file), 'utf8').catch(() => undefined);
        const value = text === undefined ? undefined : gauge.read(text);
        if (value !== undefined && Number.isFinite(value)) stats[name] = value;
      }),
    );
    return stats;
  }

  /** Kills what is in it now. */
  kill(): void {
    const directory = this.groups.pids;
    if (directory === undefined) return;
    try {
      killAll(readFileSync(path.join(directory, 'cgroup.procs'), 'utf8'));
    } catch {
      // removed meanwhile
    }
  }

  /** Kills what is left and removes the groups; a group is busy for a moment after its last process has gone. */
  async remove(): Promise<void> {
    const deadline = performance.now() + REMOVE_TIMEOUT_MS;
    await Promise.all(this.directories.map((directory) => removeGroup(directory, deadline)));
  }

  /** Another process may take the parent away when it closes; then it is made again. */
  #makeDirectories(layout: CgroupLayout): void {
    for (const directory of this.directories) {
      try {
        mkdirSync(directory);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        prepareCgroups(layout.name);
        mkdirSync(directory);
      }
    }
  }

  #apply(setting: Setting, limits: CgroupLimits): void {
    const directory = this.groups[setting.controller];
    if (directory === undefined) return;
    try {
      writeFileSync(path.join(directory, setting.file), setting.value(limits));
    } catch (error) {
      if (!setting.isOptional) throw error;
    }
  }
}

async function removeGroup(directory: string, deadline: number): Promise<void> {
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 50)) {
    try {
      await rmdir(directory);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ENOENT') return;
      if (code !== 'EBUSY' || performance.now() > deadline) throw error;
    }
    await killGroup(directory);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function killGroup(directory: string): Promise<void> {
  killAll(await readFile(path.join(directory, 'cgroup.procs'), 'utf8').catch(() => ''));
}

function killAll(text: string): void {
  for (const pid of text.split('\n').filter((line) => line !== '')) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // already gone
    }
  }
}

/** Ids of all sandboxes that have groups here. */
export async function cgroupIds(layout: CgroupLayout): Promise<string[]> {
  const ids = new Set<string>();
  for (const parent of new Set(Object.values(layout.parents))) {
    const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isDirectory()) ids.add(entry.name);
  }
  return [...ids];
}
