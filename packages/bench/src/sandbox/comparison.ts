import type { SandboxProvider, SandboxSession, SandboxSpec } from '@agentclash/sandbox';
import type { Figure } from '../measurement/report.js';
import { median } from './durations.js';

const COMMAND = ['true'] as const;
const AT_ONCE = [1, 4, 16] as const;
/** A pool is filled with the second, and its start is no part of what a pool gives. */
const WARM_UP_LIVES = 3;

/** The most of each measurement: slow providers reach the time, fast ones the number. */
export interface Effort {
  rounds: number;
  lives: number;
  msMax: number;
}

/** The medians in milliseconds, and lives per second by how many at once. */
export interface Measured {
  createAndFirstMs: number;
  execMs: number;
  perSecond: readonly number[];
}

/** Create and first command, command, and create-command-destroy at 1, 4 and 16 at once. */
export async function measureProvider(
  provider: SandboxProvider,
  spec: SandboxSpec,
  effort: Effort,
): Promise<Measured> {
  for (let life = 0; life < WARM_UP_LIVES; life += 1) await liveOnce(provider, spec);
  const firsts: number[] = [];
  const execs: number[] = [];
  await until(effort.rounds, effort.msMax, async () => {
    const startedAt = performance.now();
    const session = await provider.create(spec);
    await session.exec(COMMAND);
    firsts.push(performance.now() - startedAt);
    execs.push(...(await commands(session)));
    await session.destroy();
  });
  const perSecond: number[] = [];
  for (const lanes of AT_ONCE) perSecond.push(await livesPerSecond(provider, spec, { lanes, ...effort }));
  return { createAndFirstMs: median(firsts), execMs: median(execs), perSecond };
}

export function figuresOf(key: string, name: string, measured: Measured, spawnMs: number): Figure[] {
  const { createAndFirstMs, execMs, perSecond } = measured;
  return [
    { key: `${key}_available`, name: `${name} is there`, value: 1, unit: '' },
    {
      key: `${key}_create_and_first_exec_p50_ms`,
      name: `${name}: opening a sandbox and its first command, median`,
      value: createAndFirstMs,
      unit: 'ms',
    },
    { key: `${key}_exec_p50_ms`, name: `${name}: a command, median`, value: execMs, unit: 'ms' },
    {
      key: `${key}_exec_over_spawn`,
      name: `${name}: a command, as a multiple of bare`,
      value: execMs / spawnMs,
      unit: '×',
    },
    ...AT_ONCE.map(
      (lanes, index): Figure => ({
        key: `${key}_per_second_at_${lanes}`,
        name: `${name}: create, command and destroy, ${lanes} at once`,
        value: perSecond[index] ?? 0,
        unit: '1/s',
      }),
    ),
  ];
}

/** One row per provider; times also as multiples of a bare spawn. */
export function comparisonTable(
  rows: readonly { name: string; measured: Measured }[],
  spawnMs: number,
): string {
  const head = ['', 'create + first', '× spawn', 'command', '× spawn', ...AT_ONCE.map((n) => `1/s at ${n}`)];
  const cells = rows.map(({ name, measured: { createAndFirstMs, execMs, perSecond } }) => [
    name,
    `${createAndFirstMs.toFixed(1)} ms`,
    (createAndFirstMs / spawnMs).toFixed(1),
    `${execMs.toFixed(1)} ms`,
    (execMs / spawnMs).toFixed(1),
    ...perSecond.map((value) => value.toFixed(1)),
  ]);
  const all = [head, ...cells];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  return all.map(line).join('\n');
}

async function liveOnce(provider: SandboxProvider, spec: SandboxSpec): Promise<void> {
  const session = await provider.create(spec);
  await session.exec(COMMAND);
  await session.destroy();
}

async function commands(session: SandboxSession): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now();
    await session.exec(COMMAND);
    taken.push(performance.now() - startedAt);
  }
  return taken;
}

async function livesPerSecond(
  provider: SandboxProvider,
  spec: SandboxSpec,
  { lanes, lives, msMax }: Effort & { lanes: number },
): Promise<number> {
  const startedAt = performance.now();
  let started = 0;
  const lane = async () => {
    while (started < lives && (started < lanes || performance.now() - startedAt < msMax)) {
      started += 1;
      await liveOnce(provider, spec);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (started * 1_000) / (performance.now() - startedAt);
}

/** Repeats `work` up to `times`, and not after `msMax`; once at least. */
async function until(times: number, msMax: number, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  for (let round = 0; round < times && (round === 0 || performance.now() - startedAt < msMax); round++) {
    await work();
  }
}
