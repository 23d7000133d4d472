import type { LaneComparison, MeasureComparison } from '@agentclash/contracts';

/** Pairs of cases in one reply, over all lanes and measures: some 5 MB. */
const PAIRS_MAX = 50_000;

type Compared = Pick<LaneComparison, 'overall' | 'pass' | 'dimensions'>;

/** Comparisons of lanes with so many pairs per measure that one reply holds them: those that differ most. */
export function withBoundedPairs<Lane extends Compared>(lanes: readonly Lane[], most = PAIRS_MAX): Lane[] {
  const measures = lanes.reduce((sum, { dimensions }) => sum + 2 + Object.keys(dimensions).length, 0);
  const each = Math.floor(most / Math.max(1, measures));
  return lanes.map((lane) => ({
    ...lane,
    overall: bounded(lane.overall, each),
    pass: bounded(lane.pass, each),
    dimensions: Object.fromEntries(
      Object.entries(lane.dimensions).map(([key, measure]) => [key, bounded(measure, each)]),
    ),
  }));
}

/** The pairs stay in their order. */
function bounded(measure: MeasureComparison, most: number): MeasureComparison {
  const { pairs } = measure;
  if (pairs.length <= most) return measure;
  const distance = (at: number) => Math.abs((pairs[at]?.candidate ?? 0) - (pairs[at]?.baseline ?? 0));
  const kept = new Set([...pairs.keys()].sort((a, b) => distance(b) - distance(a) || a - b).slice(0, most));
  return { ...measure, pairs: pairs.filter((_, at) => kept.has(at)), pairs_omitted: pairs.length - most };
}
