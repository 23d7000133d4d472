import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { expect } from '@jest/globals';
import type { ExecResult, SandboxSession } from '../contract.js';
import { type Bench, eventually, LIMITS, type SandboxTest } from './bench.js';

/** Beside the command itself, on the one CPU that all are pinned to. */
const ONE_CPU = { count: 8, isPinned: true };
const ALL_CPUS = { count: availableParallelism(), isPinned: false };
const EACH_CPU = { count: 4 * availableParallelism(), isPinned: false };
const CPU_MS = 300;
/** Of the same work: one that lasts so long alone, and a limit that it would exceed by wall time under load. */
const WORK_MS = 600;
const WORK_LIMIT_MS = 1_500;
const ROUNDS = 100_000;
const LIMIT_MS = 900;
/** The machine may have other work than this test's. */
const OPTIONS = { timeoutMs: LIMIT_MS, starvedMsMax: 1_000 * LIMIT_MS };
/** Nothing renews the leases of this suite, and a loaded machine takes longer than the default. */
const LEASE_MS = 120_000;
/** Used up by a few threads under any load that a machine for tests is likely to have. */
const SMALL_QUOTA = 0.2;
const THREADS_LIMIT_MS = 2_000;
/** The CPU time that a quota permits at once and that a command uses until it is killed. */
const BURST_MS = 100;

export const STARVATION_TESTS: SandboxTest[] = [
  {
    id: 'starvation.same-verdict',
    guarantee:
      'a time limit admits under eight times the load what it admits alone, and reports what it excluded',
    run: async (bench) => {
      if (bench.provider.capabilities.cpuStarvation === 'none') return;
      const session = await bench.open();
      const alone = await burn(session, CPU_MS, OPTIONS);
      const loaded = await underLoad(bench, ONE_CPU, () => burn(session, CPU_MS, OPTIONS));
      expect([alone, loaded]).toMatchObject(Array(2).fill({ exitCode: 0, timedOut: false }));
      // Else the load was none, and this test proves nothing.
      expect(loaded.durationMs).toBeGreaterThan(LIMIT_MS);
      expect(loaded.starvedMs).toBeGreaterThan(loaded.durationMs - LIMIT_MS);
      expect(loaded.starvedMs).toBeLessThan(loaded.durationMs - CPU_MS / 2);
    },
  },
  {
    id: 'starvation.same-work',
    guarantee:
      'a time limit admits the same work alone and while other sandboxes use every CPU four times over',
    run: async (bench) => {
      if (bench.provider.capabilities.cpuStarvation === 'none') return;
      const session = await bench.open({ leaseMs: LEASE_MS });
      // The machine may have other work: the quickest is nearest to what it takes alone.
      let perRound = Number.POSITIVE_INFINITY;
      for (let n = 0; n < 5; n += 1) {
        perRound = Math.min(perRound, countedMs(await work(session, ROUNDS, OPTIONS)) / ROUNDS);
      }
      const rounds = Math.ceil(WORK_MS / perRound);
      const options = { ...OPTIONS, timeoutMs: WORK_LIMIT_MS };
      const alone = await work(session, rounds, options);
      const loaded = await underLoad(bench, EACH_CPU, () => work(session, rounds, options));
      expect([alone, loaded]).toMatchObject(Array(2).fill({ exitCode: 0, timedOut: false }));
      // Else the load was none, and this test proves nothing.
      expect(loaded.durationMs).toBeGreaterThan(WORK_LIMIT_MS);
      const tooMuch = await underLoad(bench, EACH_CPU, () => work(session, 6 * rounds, options));
      expect(tooMuch).toMatchObject({ timedOut: true });
    },
  },
  {
    id: 'starvation.same-timeout',
    guarantee: 'a command that needs more CPU than its limit allows times out under load as it does alone',
    run: async (bench) => {
      if (bench.provider.capabilities.cpuStarvation === 'none') return;
      const session = await bench.open({ leaseMs: LEASE_MS });
      const alone = await burn(session, 60_000, OPTIONS);
      const loaded = await underLoad(bench, ONE_CPU, () => burn(session, 60_000, OPTIONS));
      expect([alone.timedOut, loaded.timedOut]).toEqual([true, true]);
      expect(loaded.durationMs).toBeGreaterThan(LIMIT_MS + (loaded.starvedMs ?? 0) - 1);
    },
  },
  {
    id: 'starvation.threads-gain-nothing',
    guarantee:
      'threads beyond the quota of a sandbox bring it no more CPU within a limit, alone nor under load',
    run: async (bench) => {
      const { cpuStarvation, groupLimits } = bench.provider.capabilities;
      if (cpuStarvation === 'none' || !groupLimits) return;
      const session = await bench.open({ limits: { ...LIMITS, cpu: SMALL_QUOTA } });
      const alone = await burnInThreads(session);
      const loaded = await underLoad(bench, ALL_CPUS, () => burnInThreads(session));
      for (const { result, usedMs } of [alone, loaded]) {
        expect(result.timedOut).toBe(true);
        const countedMs = result.durationMs - (result.starvedMs ?? 0);
        expect(usedMs).toBeLessThan(SMALL_QUOTA * countedMs + BURST_MS);
      }
    },
  },
  {
    id: 'starvation.sleep',
    guarantee: 'a command that waits for anything but CPU has no more time under load',
    run: async (bench) => {
      if (bench.provider.capabilities.cpuStarvation === 'none') return;
      const session = await bench.open();
      let sleepsSince = 0;
      const onStdout = () => {
        sleepsSince = performance.now();
      };
      const sleep = () => session.exec(['sh', '-c', 'echo; exec sleep 30'], { ...OPTIONS, onStdout });
      const result = await underLoad(bench, EACH_CPU, async () => {
        const ended = await sleep();
        return { ...ended, sleptMs: performance.now() - sleepsSince };
      });
      expect(result.timedOut).toBe(true);
      // The time until it starts is the platform's; to start it takes a little CPU.
      expect(result.sleptMs).toBeLessThan(2 * LIMIT_MS);
    },
  },
  {
    id: 'starvation.bound',
    guarantee:
      'a command that is starved beyond the bound fails as such, is killed, and the sandbox stays usable',
    run: async (bench) => {
      if (bench.provider.capabilities.cpuStarvation === 'none') return;
      const session = await bench.open();
      const reported: number[] = [];
      const options = {
        timeoutMs: 5_000,
        starvedMsMax: 200,
        onStarved: (ms: number) => void reported.push(ms),
      };
      await underLoad(bench, ONE_CPU, async () => {
        await expect(burn(session, 60_000, options)).rejects.toMatchObject({ code: 'cpu_starved' });
      });
      expect(reported.at(-1)).toBeGreaterThan(200);
      expect(await session.exec(['true'])).toMatchObject({ exitCode: 0 });
    },
  },
];

/** Uses so much CPU time, by its own clock of it, on the CPU that is under load. */
function burn(
  session: SandboxSession,
  cpuMs: number,
  options: Parameters<SandboxSession['exec']>[1],
): Promise<ExecResult> {
  const script = `while :; do
    i=0; while [ $i -lt 500 ]; do i=$((i+1)); done
    read -r ran _ < /proc/$$/schedstat; [ $((ran / 1000000)) -lt ${cpuMs} ] || exit 0
  done`;
  return session.exec(pinned(['sh', '-c', script]), options);
}

/** Work that is counted by itself: the clock of CPU time of a process is that of the kernel in its sandbox. */
function work(
  session: SandboxSession,
  rounds: number,
  options: Parameters<SandboxSession['exec']>[1],
): Promise<ExecResult> {
  return session.exec(['sh', '-c', `i=0; while [ $i -lt ${rounds} ]; do i=$((i+1)); done`], options);
}

function countedMs({ durationMs, starvedMs = 0 }: ExecResult): number {
  return durationMs - starvedMs;
}

async function burnInThreads(session: SandboxSession): Promise<{ result: ExecResult; usedMs: number }> {
  const before = (await session.stats()).cpuMs ?? 0;
  const script = 'for n in 1 2 3 4 5 6 7 8; do while :; do :; done & done; wait';
  const result = await session.exec(['sh', '-c', script], {
    ...OPTIONS,
    timeoutMs: THREADS_LIMIT_MS,
  });
  return { result, usedMs: ((await session.stats()).cpuMs ?? 0) - before };
}

const TASKSET = ['/usr/bin/taskset', '/bin/taskset'].find((file) => existsSync(file));

/** Commands pinned to one CPU, so that a load on it need not be one on the whole machine. */
function pinned(argv: readonly string[]): string[] {
  return TASKSET === undefined ? [...argv] : ['taskset', '-c', '0', ...argv];
}

interface CpuLoad {
  count: number;
  /** To the CPU of `pinned`. */
  isPinned: boolean;
}

/** Runs work while `count` other sandboxes use all of a CPU that they can get. */
async function underLoad<T>(bench: Bench, load: CpuLoad, work: () => Promise<T>): Promise<T> {
  const { count, isPinned } = load;
  const burner = ['sh', '-c', 'echo; while :; do :; done'];
  const ending = new AbortController();
  const sessions = await Promise.all(Array.from({ length: count }, () => bench.open({ leaseMs: LEASE_MS })));
  let started = 0;
  const loads = sessions.map((session) =>
    session
      .exec(isPinned ? pinned(burner) : burner, {
        signal: ending.signal,
        onStdout: () => {
          started += 1;
        },
      })
      .catch(() => undefined),
  );
  try {
    await eventually(async () => started === count, 60_000);
    return await work();
  } finally {
    ending.abort();
    await Promise.all(loads);
  }
}
