import { ASSERTIONS, packOf, SOLUTION } from '../attempts/workloads.js';
import type { BenchStack } from '../stack/bench-stack.js';

const AGENTS = 8;

/** A run of so many cases and 8 agents that really was run; every agent is good at other cases. Its id. */
export async function largeRun(stack: BenchStack, cases: number): Promise<string> {
  const agents = Array.from({ length: AGENTS }, (_, index) => agentOf(index, cases));
  const pack = packOf({ slug: 'bench-web', mode: 'prompt_eval', validators: ASSERTIONS }, cases);
  const { id } = await stack.startRun(await stack.enter(pack, agents), 1);
  await stack.finished(id);
  return id;
}

/** Fails at every so many cases. */
function agentOf(index: number, cases: number): object {
  const missed = Array.from({ length: cases }, (_each, at) => at).filter((at) => at % (index + 2) === 0);
  const steps = [{ answer: 'I do not know.' }];
  return {
    name: `agent-${index + 1}`,
    kind: 'scripted',
    config: {
      steps: [{ answer: SOLUTION }],
      by_case: Object.fromEntries(missed.map((at) => [`case-${at}`, steps])),
    },
  };
}
