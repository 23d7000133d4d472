import { ASSERTIONS, PROMPT_EVAL, packOf } from '../attempts/workloads.js';
import type { Figure } from '../report.js';
import { BenchStack } from '../stack/bench-stack.js';

/** Cases of a pack, and how often they are repeated. */
const SIZES = [
  { cases: 100, repetitions: 1 },
  { cases: 100, repetitions: 10 },
  { cases: 500, repetitions: 100 },
] as const;
const IDLE = { SANDBOX_MAX_CONCURRENT: '1' };

/** How long it takes to be told that a run was created, by its size, on a stack that does little else. */
export async function benchCreation(): Promise<Figure[]> {
  const stack = await BenchStack.start(IDLE);
  try {
    const figures: Figure[] = [];
    for (const { cases, repetitions } of SIZES) {
      const attempts = cases * repetitions;
      const pack = packOf({ slug: `bench-${attempts}`, mode: 'prompt_eval', validators: ASSERTIONS }, cases);
      const agents = PROMPT_EVAL.agents.map((agent) => ({ ...agent, name: `no-op-${attempts}` }));
      const entry = await stack.enter(pack, agents);
      const startedAt = performance.now();
      const { id } = await stack.startRun(entry, repetitions);
      const seconds = (performance.now() - startedAt) / 1_000;
      await stack.cancel(id);
      const name = `creating a run of ${attempts.toLocaleString('en')} attempts`;
      figures.push({ key: `create_${attempts}_seconds`, name, value: seconds, unit: 's' });
    }
    return figures;
  } finally {
    await stack.stop();
  }
}
