import { missingShareInWords, type RankingEntry, type Run, verdictReasonInWords } from '@agentclash/api';
import { listOf, numberOf, recordOf } from '@agentclash/domain';
import type { FileRecord } from '../design/table-file.js';

/** Names of the measures that every lane has; the others are its dimensions. */
export const OVERALL = 'overall';
export const PASS_RATE = 'pass rate';

/** A mean with its 95 % interval; results of earlier releases have none that lies within 0..1. */
export interface Estimate {
  mean: number | null;
  interval: readonly [number, number] | null;
  /** True for the interval of a lane that stopped early: it holds at any moment, for the mean of all cases of the run. */
  isSequential?: boolean;
}

export interface DimensionEstimate extends Estimate {
  key: string;
  raw: { value: number; unit: string | null } | null;
}

/** The ranking entry of one lane. */
export interface RankedLane {
  id: string;
  name: string;
  rank: number | null;
  reason: string;
  /** In words; absent where the missing attempts are the reason. */
  verdictReason: string | undefined;
  /** The reason when too many of its attempts are missing for it to pass. */
  missing: string | undefined;
  passed: boolean | null;
  validity: string;
  overall: Estimate;
  passRate: Estimate;
  dimensions: readonly DimensionEstimate[];
  usableAttempts: number | null;
  plannedAttempts: number | null;
  flakeRate: number | null;
  flakyCases: readonly string[];
}

/** Reads an entry as scoring wrote it; figures that a server does not send are absent. */
export function rankedLane(
  entry: RankingEntry,
  { pack_errors: packErrors = [] }: Pick<Run, 'pack_errors'>,
): RankedLane {
  const { run_agent_id: id, name, rank, reason, passed, validity } = entry;
  const estimate = estimateOf(entry.overall_estimate);
  return {
    ...{ id, name, rank, reason, passed, validity },
    verdictReason: entry.verdict_reason === 'missing_share' ? undefined : verdictReasonInWords(entry),
    missing: missingShareInWords(entry, { hasPackErrors: packErrors.length > 0 }),
    overall: { ...estimate, mean: estimate.mean ?? entry.overall },
    passRate: estimateOf(entry.pass_rate),
    dimensions: Object.entries(recordOf(entry.dimensions)).map(([key, value]) => ({
      key,
      ...estimateOf(value),
      raw: rawOf(recordOf(value).raw),
    })),
    usableAttempts: numberOf(entry.usable_attempts),
    plannedAttempts: numberOf(entry.planned_attempts),
    flakeRate: numberOf(entry.flake_rate),
    flakyCases: listOf(entry.flaky_cases).filter((key) => typeof key === 'string'),
  };
}

export function estimateOf(value: unknown): Estimate {
  const { mean, interval, method } = recordOf(value);
  const [low, high] = listOf(interval).map(numberOf);
  const isInterval = typeof low === 'number' && typeof high === 'number';
  return {
    ...{ mean: numberOf(mean), interval: isInterval ? [low, high] : null },
    ...(method === 'confidence_sequence' && { isSequential: true }),
  };
}

/** Values of a file by the name of a mean: `score`, `score_low`, `score_high`. */
export function estimateRecord(name: string, { mean, interval }: Estimate): FileRecord {
  const [low, high] = interval ?? [null, null];
  return { [name]: mean, [`${name}_low`]: low, [`${name}_high`]: high };
}

/** The kind of the intervals of a column. */
export function intervalKind(estimates: readonly Estimate[]): string {
  return estimates.some(({ isSequential }) => isSequential) ? '95 % confidence sequence' : '95 % interval';
}

/** The meaning of intervals of a run that stopped early; shown below them. */
export const SEQUENTIAL_NOTE =
  'The run stopped early: each interval is a confidence sequence, which holds at any moment, of the mean of all its cases';

function rawOf(value: unknown): DimensionEstimate['raw'] {
  const { value: figure, unit } = recordOf(value);
  return typeof figure === 'number' ? { value: figure, unit: typeof unit === 'string' ? unit : null } : null;
}
