import { listOf, numberOf, recordOf, textOf } from '@agentclash/domain';
import { OVERALL, PASS_RATE } from '../estimates.js';

/** The scores of a lane with one case, over its repetitions. */
export interface LaneCase {
  caseKey: string;
  trials: number;
  successes: number;
  /** By measure: `overall`, `pass rate`, then the dimensions. */
  values: ReadonlyMap<string, number | null>;
}

/** Reads the cases of a lane's scorecard as scoring wrote it. */
export function laneCases(scorecard: unknown): LaneCase[] {
  return listOf(recordOf(scorecard).cases).map((value) => {
    const each = recordOf(value);
    const [trials, successes] = [numberOf(each.trials) ?? 0, numberOf(each.successes) ?? 0];
    const dimensions = Object.entries(recordOf(each.dimensions));
    return {
      caseKey: textOf(each.case_key),
      ...{ trials, successes },
      values: new Map([
        ...dimensions.map(([key, score]) => [key, numberOf(score)] as const),
        [OVERALL, numberOf(each.overall)],
        [PASS_RATE, trials === 0 ? null : successes / trials],
      ]),
    };
  });
}

/** The lowest first: what cost a mean the most; what has no value comes last. */
export function lowestFirst(cases: readonly LaneCase[], measure: string): LaneCase[] {
  const figureOf = ({ values }: LaneCase) => values.get(measure) ?? Number.POSITIVE_INFINITY;
  return [...cases].sort((a, b) => {
    const [left, right] = [figureOf(a), figureOf(b)];
    return left === right ? 0 : left - right;
  });
}
