// `pnpm chaos [--seed n] [--attempts 200] [--rounds 1] [--only kind,kind] [--together] [--json]`: kills, parts and fills
// what it can while races go on, and says what was lost or done twice. Exit code 1 when anything was.
import { cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Arena } from './arena.js';
import { bearable, type PlannedStrike, planOf } from './plan.js';
import { Randomness } from './randomness.js';
import type { Round } from './round.js';
import { STRIKE_KINDS, STRIKES, type StrikeKind } from './strikes.js';

interface Result extends Pick<Round, 'faults' | 'seconds' | 'redeliveries'> {
  strikes: readonly PlannedStrike[];
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
  const say = values.json ? () => {} : (line: string) => console.log(line);
  say(`seed ${seed}: the same strikes come again with --seed ${seed}`);
  const results = await rounds(seed, say);
  if (values.json) console.log(JSON.stringify({ seed, rounds: results }));
  if (results.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
} catch (error) {
  console.error(`error ${(error as Error).message}`);
  process.exitCode = 1;
}

async function rounds(seed: number, say: (line: string) => void): Promise<Result[]> {
  const random = new Randomness(seed);
  const kinds = chosenKinds();
  const arena = await Arena.open({ attempts: count('attempts'), seed, say });
  // Services are processes of their own, and the disk is mounted: both would outlive this one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void arena.close().finally(() => process.exit(1)));
  }
  const results: Result[] = [];
  const hold = async (plan: readonly PlannedStrike[]) => {
    const { faults, seconds, redeliveries, missed } = await arena.round(plan);
    const strikes = plan.filter((planned) => !missed.includes(planned));
    results.push({ strikes, faults, seconds, redeliveries });
    say(`  ${seconds.toFixed(1)} s, ${redeliveries} redeliveries, ${faults.length} faults`);
    for (const fault of faults) say(`  FAULT ${fault}`);
    return missed;
  };
  /** As many races as it takes until each has struck: mending takes its time, and a race does not wait. */
  const strikeAll = async (plan: readonly PlannedStrike[]): Promise<void> => {
    const missed = await hold(plan);
    if (missed.length === 0 || missed.length === plan.length) return;
    say(`  another race for what came too late: ${missed.map(({ kind }) => kind).join(', ')}`);
    await strikeAll(missed);
  };
  try {
    say('undisturbed');
    await hold([]);
    const possible = kinds.filter((kind) => STRIKES[kind].isPossible?.(arena.scene) ?? true);
    for (const kind of kinds) if (!possible.includes(kind)) say(`${kind}: cannot be done on this machine`);
    for (let round = 1; round <= count('rounds'); round += 1) {
      for (const group of values.together ? [bearable(possible, random)] : possible.map((kind) => [kind])) {
        say(`round ${round}: ${group.join(', ')}`);
        await strikeAll(planOf(group, random));
      }
    }
    return results;
  } finally {
    if (results.some(({ faults }) => faults.length > 0)) say(`logs: ${keptLogs(arena)}`);
    await arena.close();
  }
}

/** A copy of what the services said: the arena's own goes with it. */
function keptLogs(arena: Arena): string {
  const folder = path.join(tmpdir(), `agentclash-chaos-${process.pid}`);
  cpSync(arena.scene.fleet.logs, folder, { recursive: true });
  return folder;
}

function chosenKinds(): StrikeKind[] {
  const names = values.only?.split(',') ?? STRIKE_KINDS;
  return names.map((name) => {
    const kind = STRIKE_KINDS.find((each) => each === name);
    if (kind === undefined) throw new Error(`There is ${STRIKE_KINDS.join(', ')}; not ${name}.`);
    return kind;
  });
}

function count(name: 'seed' | 'attempts' | 'rounds'): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} must be a positive integer.`);
  return number;
}
