import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import type { CpuMeter } from '../cpu/limit-clock.js';
import type { CpuReading, Threads } from '../cpu/starvation.js';
import type { Cgroup } from './cgroup.js';
import { type CgroupLayout, type Controller, PRESSURE_FILE } from './cgroup-layout.js';
import { threadsOf } from './run-delays.js';

interface Counter {
  controller: Controller;
  file: string;
  pattern: RegExp;
  /** Units per millisecond. */
  perMs: number;
}

const PROCESSES_FILE = 'cgroup.procs';

const FULL: Counter = {
  controller: 'pressure',
  file: PRESSURE_FILE,
  pattern: /^full .*total=(\d+)/m,
  perMs: 1e3,
};
const NS_USED: Counter = { controller: 'cpuacct', file: 'cpuacct.usage', pattern: /^(\d+)/, perMs: 1e6 };
const PERIODS: Counter = { controller: 'cpu', file: 'cpu.stat', pattern: /^nr_throttled (\d+)/m, perMs: 1 };

function usedBy(controller: Controller): Counter {
  return { controller, file: 'cpu.stat', pattern: /^usage_usec (\d+)/m, perMs: 1e3 };
}

const THROTTLED: Record<CgroupLayout['version'], Counter> = {
  1: { controller: 'cpu', file: 'cpu.stat', pattern: /^throttled_time (\d+)/m, perMs: 1e6 },
  2: { controller: 'cpu', file: 'cpu.stat', pattern: /^throttled_usec (\d+)/m, perMs: 1e3 },
};

/** The threads of a moment, and what the group had used and waited then. */
interface Known {
  usedMs: number;
  pressureMs: number | undefined;
  threads: Threads;
}

/** More processes than these have names are not looked at. */
const BYTES_MAX = 4_096;

/**
 * Reads what the kernel counts for the groups of one sandbox. Files stay open: a reading is on the way of every command
 * with a time limit.
 */
export class CgroupMeter implements CpuMeter {
  readonly #files = new Map<string, number>();
  readonly #buffer = Buffer.allocUnsafe(BYTES_MAX);
  #isClosed = false;
  #known: Known | undefined;

  constructor(
    private readonly cgroup: Pick<Cgroup, 'directoryOf'>,
    private readonly version: CgroupLayout['version'],
  ) {}

  begin(): CpuReading | undefined {
    return this.#attempt((pids) => ({ times: new Map(), unread: new Set(pids) }));
  }

  read(): CpuReading | undefined {
    return this.#attempt(threadsOf, true);
  }

  close(): void {
    this.#isClosed = true;
    for (const file of this.#files.values()) closeSync(file);
    this.#files.clear();
  }

  #attempt(threadsOf: (pids: readonly string[]) => Threads, isKept = false): CpuReading | undefined {
    if (this.#isClosed) return undefined;
    try {
      return this.#reading(threadsOf, isKept);
    } catch {
      return undefined; // the groups are gone, or being removed
    }
  }

  #reading(threadsOf: (pids: readonly string[]) => Threads, isKept: boolean): CpuReading {
    const hasPressure = this.cgroup.directoryOf('pressure') !== undefined;
    // First what grows while the others are read, so that a reading never has more than its time.
    const pressureMs = hasPressure ? this.#count(FULL) : undefined;
    const usedMs = this.#count(this.#used(hasPressure));
    const known = isKept ? this.#unchanged(usedMs, pressureMs) : undefined;
    const threads = known?.threads ?? threadsOf(this.#processes(hasPressure));
    if (isKept) this.#known = { usedMs, pressureMs, threads };
    const atMs = performance.now();
    return {
      atMs,
      usedMs: this.#count(this.#used(hasPressure)),
      throttledMs: this.#count(THROTTLED[this.version]),
      throttledPeriods: this.#count(PERIODS),
      pressureMs,
      threads,
    };
  }

  /**
   * The threads read before, while none of them has run or waited since. Listing threads is the dear part of a reading,
   * and a program that waits for a reply has nothing new to read.
   */
  #unchanged(usedMs: number, pressureMs: number | undefined): Known | undefined {
    const known = this.#known;
    const isSame = pressureMs !== undefined && known?.pressureMs === pressureMs && known.usedMs === usedMs;
    return isSame ? known : undefined;
  }

  #used(hasPressure: boolean): Counter {
    if (hasPressure) return usedBy('pressure');
    return this.version === 1 ? NS_USED : usedBy('cpu');
  }

  /** Version 1 lists again what it listed before, unless the file is opened again. */
  #processes(hasPressure: boolean): string[] {
    const text = hasPressure
      ? this.#text('pressure', PROCESSES_FILE)
      : readFileSync(path.join(this.cgroup.directoryOf('cpu') ?? '', PROCESSES_FILE), 'latin1');
    return text.split('\n').slice(0, -1);
  }

  #count({ controller, file, pattern, perMs }: Counter): number {
    const found = pattern.exec(this.#text(controller, file))?.[1];
    if (found === undefined) throw new Error(`${file} has no such count`);
    return Number(found) / perMs;
  }

  #text(controller: Controller, name: string): string {
    const full = path.join(this.cgroup.directoryOf(controller) ?? '', name);
    const file = this.#files.get(full) ?? openSync(full, 'r');
    this.#files.set(full, file);
    return this.#buffer.toString('latin1', 0, readSync(file, this.#buffer, 0, BYTES_MAX, 0));
  }
}
