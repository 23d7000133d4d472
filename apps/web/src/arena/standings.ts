import type { LaneView } from './race-feed.js';

/** A lane with its place so far. */
export type Standing = Pick<LaneView, 'id' | 'index' | 'name' | 'passed' | 'judged' | 'overall'> & {
  rank: number | null;
};

type Racer = Omit<Standing, 'rank'>;

/** Lanes by their pass rates so far; those with the same rate in the order of the run. */
export function byPassRate<Lane extends Racer>(lanes: readonly Lane[]): Lane[] {
  return [...lanes].sort((a, b) => rateOf(b) - rateOf(a) || a.index - b.index);
}

/** Lanes by their pass rates so far; those with the same rate share a rank, and a lane without a verdict has none. */
export function provisionalRanking(lanes: readonly Racer[]): Standing[] {
  return byPassRate(lanes).map((lane) => {
    const ahead = lanes.filter((other) => rateOf(other) > rateOf(lane)).length;
    return { ...lane, rank: lane.judged === 0 ? null : ahead + 1 };
  });
}

/** Below every rate for a lane without a verdict. */
function rateOf({ passed, judged }: Racer): number {
  return judged === 0 ? -1 : passed / judged;
}
