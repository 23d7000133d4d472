import type { LaneView } from './race-feed.js';

/** A lane with its place so far. */
export type Standing = Pick<LaneView, 'id' | 'index' | 'name' | 'passed' | 'judged' | 'overall'> & {
  rank: number | null;
};

/** Lanes by their pass rates so far; those with the same rate share a rank, and a lane without a verdict has none. */
export function provisionalRanking(lanes: readonly Omit<Standing, 'rank'>[]): Standing[] {
  const rateOf = ({ passed, judged }: Omit<Standing, 'rank'>) => (judged === 0 ? -1 : passed / judged);
  return [...lanes]
    .sort((a, b) => rateOf(b) - rateOf(a) || a.index - b.index)
    .map((lane) => {
      const ahead = lanes.filter((other) => rateOf(other) > rateOf(lane)).length;
      return { ...lane, rank: lane.judged === 0 ? null : ahead + 1 };
    });
}
