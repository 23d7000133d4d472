import { ASSERTIONS, PROMPT_EVAL, packOf } from '../attempts/workloads.js';
import { proportionalMib } from '../measurement/process-usage.js';
import type { Figure } from '../measurement/report.js';
import type { Shape, Volume } from '../measurement/volume.js';
import { BenchStack, type Entry } from '../stack/bench-stack.js';

const SIZES: readonly Shape[] = [
  { cases: 100, repetitions: 1 },
  { cases: 100, repetitions: 10 },
  { cases: 500, repetitions: 100 },
];
const QUICK: readonly Shape[] = [{ cases: 10, repetitions: 2 }];
const IDLE = { SANDBOX_MAX_CONCURRENT: '1' };

const SAMPLE_EVERY_MS = 50;

/**
 * How long the creation of a run takes, by its size, on a stack that does little else, and how much more
 * memory the services hold meanwhile.
 */
export async function benchCreation({ isQuick = false }: Volume = {}): Promise<Figure[]> {
  const stack = await BenchStack.start(IDLE);
  try {
    const figures: Figure[] = [];
    for (const { cases, repetitions } of isQuick ? QUICK : SIZES) {
      const attempts = cases * repetitions;
      const pack = packOf({ slug: `bench-${attempts}`, mode: 'prompt_eval', validators: ASSERTIONS }, cases);
      const agents = PROMPT_EVAL.agents.map((agent) => ({ ...agent, name: `no-op-${attempts}` }));
      const entry = await stack.enter(pack, agents);
      const { runId, seconds, growthMib } = await created(stack, entry, repetitions);
      await stack.cancel(runId);
      const name = `creating a run of ${attempts.toLocaleString('en')} attempts`;
      figures.push(
        { key: `create_${attempts}_seconds`, name, value: seconds, unit: 's' },
        {
          key: `create_${attempts}_growth_mib`,
          name: `${name}: more memory of the services at the peak`,
          value: growthMib,
          unit: 'MiB',
        },
      );
    }
    return figures;
  } finally {
    await stack.stop();
  }
}

async function created(stack: BenchStack, entry: Entry, repetitions: number) {
  const { services } = stack.processes;
  const beforeMib = proportionalMib(services);
  let peakMib = beforeMib;
  const sample = () => {
    peakMib = Math.max(peakMib, proportionalMib(services));
  };
  const sampler = setInterval(sample, SAMPLE_EVERY_MS);
  try {
    const startedAt = performance.now();
    const { id: runId } = await stack.startRun(entry, repetitions);
    const seconds = (performance.now() - startedAt) / 1_000;
    sample();
    return { runId, seconds, growthMib: peakMib - beforeMib };
  } finally {
    clearInterval(sampler);
  }
}
