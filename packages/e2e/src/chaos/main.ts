// `pnpm chaos [--seed n] [--attempts 200] [--rounds 1] [--only kind,kind] [--together] [--json]`: kills, parts and fills
// what it can while races go on, and says what was lost or done twice. Exit code 1 when anything was.
import { cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FAULT_KINDS, FAULTS, type FaultKind } from './faults.js';
import { type PlannedFault, planOf, survivable } from './plan.js';
import { RaceFixture } from './race-fixture.js';
import { Randomness } from './randomness.js';
import type { Round } from './round.js';

interface Result extends Pick<Round, 'violations' | 'seconds' | 'redeliveries'> {
  faults: readonly PlannedFault[];
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    attempts: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '1' },
    only: { type: 'string' },
    together: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

try {
  const seed = count('seed');
  const log = values.json ? () => {} : (line: string) => console.log(line);
  log(`seed ${seed}: the same strikes come again with --seed ${seed}`);
  const results = await rounds(seed, log);
  if (values.json) console.log(JSON.stringify({ seed, rounds: results }));
  if (results.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
} catch (error) {
  console.error(`error ${(error as Error).message}`);
  process.exitCode = 1;
}

async function rounds(seed: number, log: (line: string) => void): Promise<Result[]> {
  const random = new Randomness(seed);
  const kinds = chosenKinds();
  const fixture = await RaceFixture.open({ attempts: count('attempts'), seed, log });
  // Services are processes of their own, and the disk is mounted: both would outlive this one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void fixture.close().finally(() => process.exit(1)));
  }
  const results: Result[] = [];
  const hold = async (plan: readonly PlannedFault[]) => {
    const { violations, seconds, redeliveries, missed } = await fixture.round(plan);
    const faults = plan.filter((planned) => !missed.includes(planned));
    results.push({ faults, violations, seconds, redeliveries });
    log(`  ${seconds.toFixed(1)} s, ${redeliveries} redeliveries, ${violations.length} violations`);
    for (const violation of violations) log(`  VIOLATION ${violation}`);
    return missed;
  };
  /** As many races as it takes until each has struck: mending takes its time, and a race does not wait. */
  const injectAll = async (plan: readonly PlannedFault[]): Promise<void> => {
    const missed = await hold(plan);
    if (missed.length === 0 || missed.length === plan.length) return;
    log(`  another race for what came too late: ${missed.map(({ kind }) => kind).join(', ')}`);
    await injectAll(missed);
  };
  try {
    log('undisturbed');
    await hold([]);
    const possible = kinds.filter((kind) => FAULTS[kind].isPossible?.(fixture.context) ?? true);
    for (const kind of kinds) if (!possible.includes(kind)) log(`${kind}: cannot be done on this machine`);
    for (let round = 1; round <= count('rounds'); round += 1) {
      for (const group of values.together ? [survivable(possible, random)] : possible.map((kind) => [kind])) {
        log(`round ${round}: ${group.join(', ')}`);
        await injectAll(planOf(group, random));
      }
    }
    return results;
  } finally {
    if (results.some(({ violations }) => violations.length > 0)) log(`logs: ${keptLogs(fixture)}`);
    await fixture.close();
  }
}

/** A copy of what the services said: the arena's own goes with it. */
function keptLogs(fixture: RaceFixture): string {
  const folder = path.join(tmpdir(), `agentclash-chaos-${process.pid}`);
  cpSync(fixture.context.fleet.logs, folder, { recursive: true });
  return folder;
}

function chosenKinds(): FaultKind[] {
  const names = values.only?.split(',') ?? FAULT_KINDS;
  return names.map((name) => {
    const kind = FAULT_KINDS.find((each) => each === name);
    if (kind === undefined) throw new Error(`There is ${FAULT_KINDS.join(', ')}; not ${name}.`);
    return kind;
  });
}

function count(name: 'seed' | 'attempts' | 'rounds'): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} must be a positive integer.`);
  return number;
}
