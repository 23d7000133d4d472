import { measuredRace } from '../attempts/race.js';
import { PROMPT_EVAL, shapeFor } from '../attempts/workloads.js';
import type { Figure } from '../measurement/report.js';
import type { Volume } from '../measurement/volume.js';
import { BenchStack } from '../stack/bench-stack.js';
import { evaluate, PEER_NODE, promptfoo } from './evaluation.js';

const CASES = 20_000;
/** Fewer take less time than starts differ by. */
const QUICK_CASES = 500;
const TARGETS = { timesTheRate: 2, shareOfMemory: 0.5 };

/** The same cases, outputs and assertions with promptfoo and with ours, one after the other, by the same Node.js. */
export async function benchPromptfoo({ attempts, isQuick }: Volume = {}): Promise<Figure[]> {
  const peer = await promptfoo();
  const ours = await ourRun({ attempts: attempts ?? (isQuick ? QUICK_CASES : CASES) }, peer.node);
  // The time of its start is not part of its rate; ours has started before. The first start reads its files from the
  // disk.
  await evaluate(peer, 1);
  const start = await evaluate(peer, 1);
  const theirs = await evaluate(peer, ours.attempts);
  const rates = {
    ours: ours.attempts / ours.seconds,
    theirs: ours.attempts / (theirs.seconds - start.seconds),
  };
  const cases = ours.attempts.toLocaleString('en');
  const figures: Figure[] = [
    { key: 'our_cases_per_second', name: `${cases} cases, ours`, value: rates.ours, unit: '1/s' },
    {
      key: 'promptfoo_cases_per_second',
      name: `${cases} cases, promptfoo`,
      value: rates.theirs,
      unit: '1/s',
    },
    {
      key: 'rate_ratio',
      name: 'ours, times its rate',
      value: rates.ours / rates.theirs,
      unit: '×',
      target: TARGETS.timesTheRate,
      isAtLeast: true,
    },
    {
      key: 'our_peak_mib',
      name: 'memory at the peak, our whole stack',
      value: ours.stackPeakMib,
      unit: 'MiB',
    },
    { key: 'promptfoo_peak_mib', name: 'memory at the peak, promptfoo', value: theirs.peakMib, unit: 'MiB' },
    {
      key: 'memory_ratio',
      name: 'ours, times its memory',
      value: ours.stackPeakMib / theirs.peakMib,
      unit: '×',
      target: TARGETS.shareOfMemory,
    },
  ];
  return figures.map((figure) => ({ ...figure, node: PEER_NODE }));
}

async function ourRun(volume: Volume, node: string) {
  const { cases, repetitions } = shapeFor(PROMPT_EVAL, volume);
  const stack = await BenchStack.start({}, node);
  try {
    const entry = await stack.enter(PROMPT_EVAL.pack(cases), PROMPT_EVAL.agents);
    await measuredRace(stack, entry, 1);
    return await measuredRace(stack, entry, repetitions);
  } finally {
    await stack.stop();
  }
}
