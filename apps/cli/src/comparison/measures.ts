import {
  gateReasonsInWords,
  isAdjusted,
  type LaneComparison,
  type MeasureComparison,
  measuresOf,
  reasonInWords,
  roundedP,
  shownInterval,
} from '@agentclash/api';

/** `+0.050`, with its sign. */
export function signed(value: number | null): string {
  if (value === null) return '-';
  const text = Math.abs(value).toFixed(3);
  return `${value < 0 && Number(text) !== 0 ? '-' : '+'}${text}`;
}

/** `+0.050 [-0.010, +0.110]`, as far as it is known: the interval that agrees with the verdict. */
export function difference(measure: MeasureComparison): string {
  const interval = shownInterval(measure);
  const mean = signed(measure.mean_difference);
  return interval === null ? mean : `${mean} ${ends(interval)}`;
}

/** `[-0.010, +0.110] p 0.042`: the figures of a measure as if it were the only one that is tested. */
export function unadjusted({ interval, p }: MeasureComparison): string {
  return p === null ? '-' : `${interval ? `${ends(interval)} ` : ''}p ${roundedP(p)}`;
}

/** True where the unadjusted figures of some measure differ from the adjusted ones. */
export function isAnyAdjusted(lane: LaneComparison): boolean {
  return measuresOf(lane).some(({ measure }) => isAdjusted(measure));
}

function ends([low, high]: readonly [number, number]): string {
  return `[${signed(low)}, ${signed(high)}]`;
}

export function probability(p: number | null): string {
  return p === null ? '-' : roundedP(p);
}

/** By which command something can be done. */
const ADVICE = {
  evaluation_spec_mismatch: 'agentclash run rescore --evaluation-spec',
  stopped_early: 'race against the baseline with --stop-when decided --baseline, or to the last case',
  agent_unresolved: 'name the lane with --agent and --baseline-agent (for compare, --candidate-agent too)',
};

/** A reason in words: `correctness: lost more than the policy lets pass`. */
export function reasonText(reason: string): string {
  return reasonInWords(reason, ADVICE);
}

/** The reasons why lanes are not tested in words; beside the verdict of a race without advice. */
export function comparisonReasons({ reasons, race }: LaneComparison): string[] {
  return reasons.map((reason) => reasonInWords(reason, race === undefined ? ADVICE : {}));
}

/** The reasons of a decision in words. */
export function gateReasons(decided: Parameters<typeof gateReasonsInWords>[0]): string[] {
  return gateReasonsInWords(decided, ADVICE);
}
