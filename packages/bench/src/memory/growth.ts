import { measuredRace } from '../attempts/race.js';
import { ASSERTIONS, PROMPT_EVAL, packOf } from '../attempts/workloads.js';
import type { Figure } from '../measurement/report.js';
import { shapeOf, type Volume } from '../measurement/volume.js';
import { BenchStack } from '../stack/bench-stack.js';

const WHOLE = { cases: 500, few: 1_000, many: 50_000 };
const QUICK: typeof WHOLE = { cases: 10, few: 10, many: 20 };
const TARGET_MIB = 100;

/** How much more memory the services hold at most during a large run than during a small one. */
export async function benchMemory({ attempts, isQuick = false }: Volume = {}): Promise<Figure[]> {
  const { cases, few: small, many: large } = isQuick ? QUICK : WHOLE;
  const stack = await BenchStack.start();
  try {
    const pack = packOf({ slug: 'bench-memory', mode: 'prompt_eval', validators: ASSERTIONS }, cases);
    const entry = await stack.enter(pack, PROMPT_EVAL.agents);
    const few = await measuredRace(stack, entry, shapeOf(cases, small).repetitions);
    const many = await measuredRace(stack, entry, shapeOf(cases, attempts ?? large).repetitions);
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
