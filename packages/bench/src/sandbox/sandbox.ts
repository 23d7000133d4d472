import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BubblewrapProvider, createBubblewrapProvider, type SandboxSession } from '@agentclash/sandbox';
import { processesOf, residentMib } from '../measurement/process-usage.js';
import type { Figure } from '../measurement/report.js';
import type { Volume } from '../measurement/volume.js';
import { CANDIDATES, open } from './candidates.js';
import { comparisonTable, type Effort, figuresOf, type Measured, measureProvider } from './comparison.js';
import { median, quantile } from './durations.js';

const WHOLE = { rounds: 60, churn: 160, idle: 20 };
const QUICK = { rounds: 2, churn: 16, idle: 2 };
const FILE_BYTES = 50_000;
const SNAPSHOT_MB = 10;
const COMMAND = ['true'] as const;
const TARGETS = { firstExecMs: 20, execOverSpawn: 2, churnPerSecond: 80 };
const SPEC = {
  limits: { cpu: 1, memoryBytes: 128 << 20, pids: 64, workspaceBytes: 32 << 20 },
  labels: { runId: 'bench', attemptId: 'bench' },
};

const EFFORT: Effort = { rounds: 20, lives: 64, msMax: 8_000 };
const QUICK_EFFORT: Effort = { rounds: 1, lives: 4, msMax: 1 };

/** A local sandbox, step by step, then all providers that are there, beside a bare spawn in the same run. */
export async function benchSandbox(volume: Volume = {}): Promise<Figure[]> {
  return [...(await stepByStep(volume)), ...(await compared(volume))];
}

/** Each provider with the variables of an executor in the environment of this process. */
async function compared({ isQuick = false }: Volume): Promise<Figure[]> {
  const spawnMs = median(await repeated(isQuick ? 2 : 40, bareSpawn));
  const figures: Figure[] = [];
  const rows: { name: string; measured: Measured }[] = [];
  const missing: string[] = [];
  for (const candidate of CANDIDATES) {
    const { key, name } = candidate;
    const opened = await open(candidate, process.env);
    if ('missing' in opened) {
      const reason = opened.missing;
      missing.push(`${name} is missing: ${reason}`);
      figures.push({ key: `${key}_available`, name: `${name} is there`, value: 0, unit: '', reason });
      continue;
    }
    try {
      const measured = await measureProvider(opened.provider, SPEC, isQuick ? QUICK_EFFORT : EFFORT);
      rows.push({ name, measured });
      figures.push(...figuresOf(key, name, measured, spawnMs));
    } finally {
      await opened.provider.close();
    }
  }
  console.log([comparisonTable(rows, spawnMs), ...missing, ''].join('\n'));
  return figures;
}

async function stepByStep({ isQuick = false }: Volume): Promise<Figure[]> {
  const { rounds, churn, idle } = isQuick ? QUICK : WHOLE;
  const stateDir = mkdtempSync(path.join(tmpdir(), 'agentclash-bench-'));
  chmodSync(stateDir, 0o755);
  const provider = await createBubblewrapProvider({ stateDir, cgroupName: path.basename(stateDir) });
  try {
    const spawned = await repeated(rounds, bareSpawn);
    const life = await lives(provider, rounds);
    const session = await provider.create(SPEC);
    const work = await inside(session, { spawned, rounds });
    await session.destroy();
    return [...life, ...work, ...(await churned(provider, churn)), await idleMemory(provider, idle)];
  } finally {
    await provider.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

async function lives(provider: BubblewrapProvider, rounds: number): Promise<Figure[]> {
  const [create, first, both, destroy]: number[][] = [[], [], [], []];
  for (let round = 0; round < rounds; round++) {
    const marks = [performance.now()];
    const session = await provider.create(SPEC);
    marks.push(performance.now());
    await session.exec(COMMAND);
    marks.push(performance.now());
    await session.destroy();
    marks.push(performance.now());
    const [t0 = 0, t1 = 0, t2 = 0, t3 = 0] = marks;
    create?.push(t1 - t0);
    first?.push(t2 - t1);
    both?.push(t2 - t0);
    destroy?.push(t3 - t2);
  }
  return [
    millis('create_p50_ms', 'opening a sandbox, median', median(create)),
    millis('first_exec_p50_ms', 'its first command, median', median(first)),
    millis('create_and_first_exec_p50_ms', 'both, median', median(both), TARGETS.firstExecMs),
    millis('destroy_p50_ms', 'destroying it, median', median(destroy)),
  ];
}

async function inside(
  session: SandboxSession,
  { spawned, rounds }: { spawned: readonly number[]; rounds: number },
): Promise<Figure[]> {
  await repeated(rounds / 4, () => session.exec(COMMAND));
  const exec = await repeated(rounds * 4, () => session.exec(COMMAND));
  const content = Buffer.alloc(FILE_BYTES, 'x');
  const write = await repeated(rounds, () => session.writeFile('file', content));
  const read = await repeated(rounds, () => session.readFile('file'));
  await session.exec(['sh', '-c', `head -c ${SNAPSHOT_MB}M /dev/urandom > big`]);
  const snapshot = await repeated(5, async () => {
    for await (const _ of session.snapshot().chunks);
  });
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: rounds * 4 }, () => session.exec(COMMAND)));
  const perSecond = (rounds * 4 * 1_000) / (performance.now() - startedAt);
  return [
    millis('spawn_p50_ms', 'a bare spawn of the command, median', median(spawned)),
    millis('exec_p50_ms', 'the command in a sandbox, median', median(exec)),
    millis('exec_p95_ms', 'the same, 95th percentile', quantile(exec, 0.95)),
    {
      key: 'exec_over_spawn',
      name: 'in a sandbox, as a multiple of bare',
      value: median(exec) / median(spawned),
      unit: '×',
      target: TARGETS.execOverSpawn,
    },
    { key: 'execs_per_second', name: 'commands at once in one sandbox', value: perSecond, unit: '1/s' },
    millis('write_50kb_p50_ms', 'writing a file of 50 kB, median', median(write)),
    millis('read_50kb_p50_ms', 'reading it, median', median(read)),
    millis('snapshot_10mb_p50_ms', 'a snapshot of 10 MB, median', median(snapshot)),
  ];
}

/** Whole lives, so many at once. */
async function churned(provider: BubblewrapProvider, lives: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const lanes of [1, 4, 16]) {
    let left = lives;
    const lane = async () => {
      while (left-- > 0) {
        const session = await provider.create(SPEC);
        await session.exec(COMMAND);
        await session.destroy();
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: lanes }, lane));
    figures.push({
      key: `sandboxes_per_second_at_${lanes}`,
      name: `create, command and destroy, ${lanes} at once`,
      value: (lives * 1_000) / (performance.now() - startedAt),
      unit: '1/s',
      ...(lanes === 4 ? { target: TARGETS.churnPerSecond } : {}),
    });
  }
  return figures;
}

async function idleMemory(provider: BubblewrapProvider, count: number): Promise<Figure> {
  const sessions = await Promise.all(Array.from({ length: count }, () => provider.create(SPEC)));
  const resident = processesOf(process.pid).map(residentMib);
  await Promise.all(sessions.map((session) => session.destroy()));
  const value = resident.reduce((sum, mib) => sum + mib, 0) / count;
  return { key: 'idle_sandbox_mib', name: 'memory of an idle sandbox', value, unit: 'MiB' };
}

async function bareSpawn(): Promise<void> {
  const child = spawn(COMMAND[0], { stdio: ['ignore', 'pipe', 'pipe'] });
  await once(child, 'exit');
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < times; round++) {
    const startedAt = performance.now();
    await work();
    taken.push(performance.now() - startedAt);
  }
  return taken;
}

function millis(key: string, name: string, value: number, target?: number): Figure {
  return { key, name, value, unit: 'ms', ...(target === undefined ? {} : { target }) };
}
