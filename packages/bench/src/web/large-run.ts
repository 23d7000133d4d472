import { ANSWER, ASSERTIONS, packOf } from '../attempts/workloads.js';
import type { BenchStack } from '../stack/bench-stack.js';

const CASES = 500;
const AGENTS = 8;

/** A run of 500 cases and 8 agents that really was run; every agent is good at other cases. Its id. */
export async function largeRun(stack: BenchStack): Promise<string> {
  const pack = packOf({ slug: 'bench-web', mode: 'prompt_eval', validators: ASSERTIONS }, CASES);
  const { id } = await stack.startRun(await stack.enter(pack, Array.from({ length: AGENTS }, agent)), 1);
  await stack.finished(id);
  return id;
}

/** Fails at every so many cases. */
function agent(_: unknown, index: number): object {
  const missed = Array.from({ length: CASES }, (_each, at) => at).filter((at) => at % (index + 2) === 0);
  const steps = [{ answer: 'I do not know.' }];
  return {
    name: `agent-${index + 1}`,
    kind: 'scripted',
    config: {
      steps: [{ answer: ANSWER }],
      by_case: Object.fromEntries(missed.map((at) => [`case-${at}`, steps])),
    },
  };
}
