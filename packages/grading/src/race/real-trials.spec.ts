import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sharedFolder } from '@agentclash/testkit/shared-folder';
import { expect, test } from '@jest/globals';
import { Random } from '../testing/random.js';
import { SequentialRace } from './race.js';
import type { RaceDecisions } from './types.js';

const file = path.join(sharedFolder(), 'vectors/scoring-golden-trials.json');

/** Passed trials and trials of agents by task. */
type Agents = Record<string, { readonly counts: Record<string, [successes: number, trials: number]> }>;

function trials(): Agents {
  const { agents }: { agents: Agents } = JSON.parse(readFileSync(file, 'utf8'));
  return agents;
}

/** The value of each task that all agents tried. */
function valuesOf(agents: Agents): Map<string, Map<string, number>> {
  const lanes = Object.entries(agents);
  const tasks = Object.keys(lanes[0]?.[1].counts ?? {}).filter((task) =>
    lanes.every(([, { counts }]) => (counts[task]?.[1] ?? 0) > 0),
  );
  return new Map(
    lanes.map(([lane, { counts }]) => [
      lane,
      new Map(
        tasks.map((task) => {
          const [successes = 0, all = 1] = counts[task] ?? [];
          return [task, successes / all];
        }),
      ),
    ]),
  );
}

function race(values: Map<string, Map<string, number>>, seed: number): RaceDecisions {
  const lanes = [...values.keys()];
  const tasks = [...(values.get(lanes[0] ?? '')?.keys() ?? [])];
  const raced = new SequentialRace(
    { goal: 'ranking', alpha: 0.05, margin: 0, max_missing_share: 0.05, lanes },
    new Random(seed).shuffled(tasks),
  );
  raced.update(
    lanes.flatMap((lane) =>
      tasks.map((case_key) => ({ lane, case_key, value: values.get(lane)?.get(case_key) ?? null })),
    ),
  );
  return raced.decisions();
}

(existsSync(file) ? test : test.skip)(
  'no verdict of 100 orders of real trials contradicts the whole run (needs AGENTCLASH_SHARED)',
  () => {
    const values = valuesOf(trials());
    const sumOf = (lane: string) =>
      [...(values.get(lane)?.values() ?? [])].reduce((sum, value) => sum + value, 0);
    let early = 0;
    for (let seed = 0; seed < 100; seed += 1) {
      const { pairs } = race(values, seed);
      expect(pairs.length).toBeGreaterThan(10);
      for (const { a, b, sign, verdict } of pairs) {
        const difference = sumOf(a) - sumOf(b);
        expect(sign).toBe(Math.abs(difference) < 1e-9 ? 0 : Math.sign(difference));
        if (verdict !== 'exact') early += 1;
      }
    }
    expect(early).toBeGreaterThan(500);
  },
);
