import type { DimensionResult, RawValue, Scorecard, Validity, VerdictReason } from '../scorecard/types.js';

/** The members of one attempt's scorecard that aggregation reads. */
export interface AttemptFacts {
  readonly case_key: string;
  readonly overall: number | null;
  readonly passed: boolean | null;
  readonly reason: VerdictReason | null;
  readonly validity: Validity;
  /** Per gate whether it held; null when it was unavailable. */
  readonly gates: Readonly<Record<string, boolean | null>>;
  readonly dimensions: Readonly<Record<string, number | null>>;
  readonly raw: Readonly<Record<string, RawValue>>;
}

export function attemptFacts(caseKey: string, scorecard: AttemptSummary): AttemptFacts {
  const { overall, passed, reason, validity, dimensions } = scorecard;
  return {
    case_key: caseKey,
    overall,
    passed,
    reason,
    validity,
    gates: byKey(
      dimensions.filter((dimension) => dimension.gate),
      (dimension) => dimension.gate_passed,
    ),
    dimensions: byKey(dimensions, (dimension) => dimension.score),
    raw: byKey(dimensions, (dimension) => dimension.raw ?? undefined),
  };
}

function byKey<T>(
  dimensions: readonly DimensionResult[],
  read: (dimension: DimensionResult) => T | undefined,
): Record<string, T> {
  const rows = dimensions.flatMap((dimension): [string, T][] => {
    const value = read(dimension);
    return value === undefined ? [] : [[dimension.key, value]];
  });
  return Object.fromEntries(rows);
}

/** The members of a scorecard that aggregation reads: small enough to hold thousands of them. */
export type AttemptSummary = Pick<
  Scorecard,
  'overall' | 'passed' | 'reason' | 'validity' | 'dimensions' | 'security'
>;

/** A scorecard without its validators, metrics and judges. */
export function summarizeAttempt(scorecard: AttemptSummary): AttemptSummary {
  const { overall, passed, reason, validity, dimensions, security } = scorecard;
  return { overall, passed, reason, validity, dimensions, ...(security !== undefined && { security }) };
}
