import { readdirSync, readFileSync } from 'node:fs';
import type { CpuMeter } from '../cpu/limit-clock.js';
import type { CpuReading, Threads, ThreadTimes } from '../cpu/starvation.js';

const NS_PER_MS = 1e6;
/** `/proc/PID/stat` counts CPU time in these on every architecture that sandboxes run on. */
const TICK_MS = 10;
/** Places in `/proc/PID/stat` after the name: times of the process itself, and of all that it has waited for. */
const TIMES_FIRST = 11;
const TIMES_COUNT = 4;

/** The time that each thread of these processes has run and waited for a CPU so far. One that ends meanwhile is left out. */
export function threadsOf(pids: readonly string[]): Threads {
  const times = new Map<string, ThreadTimes>();
  for (const pid of pids) {
    for (const thread of listed(`/proc/${pid}/task`)) {
      const [ran, waited] = text(`/proc/${pid}/task/${thread}/schedstat`).split(' ').map(Number);
      if (ran === undefined || waited === undefined) continue;
      times.set(`${pid}/${thread}`, { ranMs: ran / NS_PER_MS, waitedMs: waited / NS_PER_MS });
    }
  }
  return { times, unread: new Set() };
}

/** The processes below these, and those. */
function descendantsOf(roots: readonly number[]): string[] {
  const found = roots.map(String);
  for (const pid of found) {
    for (const thread of listed(`/proc/${pid}/task`)) {
      const children = text(`/proc/${pid}/task/${thread}/children`).split(' ');
      found.push(...children.filter((child) => child.trim() !== ''));
    }
  }
  return found;
}

/** True when this kernel keeps what is read here. */
export function reportsRunDelays(): boolean {
  return text('/proc/self/schedstat') !== '' && listed('/proc/self/task').some(hasChildrenFile);
}

/** Without cgroups: reads the processes of one sandbox, which has no quota of its own but the one it was promised. */
export class RunDelayMeter implements CpuMeter {
  constructor(private readonly roots: () => readonly number[]) {}

  begin(): CpuReading {
    return this.#reading((pids) => ({ times: new Map(), unread: new Set(pids) }));
  }

  /** Of nothing, rather than undefined, while nothing of it runs: each command may start processes of its own. */
  read(): CpuReading {
    return this.#reading(threadsOf);
  }

  #reading(threadsOf: (pids: readonly string[]) => Threads): CpuReading {
    const pids = descendantsOf(this.roots());
    const threads = threadsOf(pids);
    const atMs = performance.now();
    const usedMs = pids.reduce((sum, pid) => sum + usedMsOf(pid), 0);
    return { atMs, usedMs, throttledMs: 0, throttledPeriods: 0, pressureMs: undefined, threads };
  }
}

function usedMsOf(pid: string): number {
  const times = fieldsOf(`/proc/${pid}/stat`).slice(TIMES_FIRST, TIMES_FIRST + TIMES_COUNT);
  return times.reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}

/** After the name, which may hold anything. */
function fieldsOf(file: string): string[] {
  const line = text(file);
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}

function hasChildrenFile(thread: string): boolean {
  return listed(`/proc/self/task/${thread}`).includes('children');
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
