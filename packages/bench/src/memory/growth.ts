import { measuredRace } from '../attempts/race.js';
import { ASSERTIONS, PROMPT_EVAL, packOf } from '../attempts/workloads.js';
import type { Figure } from '../report.js';
import { BenchStack } from '../stack/bench-stack.js';

export interface GrowthOptions {
  /** Of the large run; at most 50,000. */
  attempts?: number | undefined;
}

const CASES = 500;
const FEW = { attempts: 1_000, repetitions: 2 };
const MANY = 50_000;
const TARGET_MIB = 100;

/** How much more memory the services hold at most during a large run than during a small one. */
export async function benchMemory({ attempts = MANY }: GrowthOptions = {}): Promise<Figure[]> {
  const stack = await BenchStack.start();
  try {
    const pack = packOf({ slug: 'bench-memory', mode: 'prompt_eval', validators: ASSERTIONS }, CASES);
    const entry = await stack.enter(pack, PROMPT_EVAL.agents);
    const few = await measuredRace(stack, entry, FEW.repetitions);
    const many = await measuredRace(stack, entry, Math.min(100, Math.max(1, Math.round(attempts / CASES))));
    const peak = (race: typeof few): Figure => ({
      key: `peak_${race.attempts}_mib`,
      name: `services at their peak in a run of ${race.attempts.toLocaleString('en')} attempts`,
      value: race.peakMib,
      unit: 'MiB',
    });
    return [
      peak(few),
      peak(many),
      {
        key: 'growth_mib',
        name: 'growth from the small to the large run',
        value: many.peakMib - few.peakMib,
        unit: 'MiB',
        target: TARGET_MIB,
      },
      {
        key: 'large_attempts_per_second',
        name: 'attempts per second in the large run',
        value: many.attempts / many.seconds,
        unit: '1/s',
      },
    ];
  } finally {
    await stack.stop();
  }
}
