/** The progress of a lane or a race since a start: the basis of its elapsed and remaining time. */
export interface Pace {
  readonly total: number;
  readonly scored: number;
  /** Scored before `startedAt`: after a retry they are no measure of the rest. */
  readonly scoredBefore: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** Milliseconds since it started, up to its end; null before. */
export function elapsedMs(
  { startedAt, endedAt }: Pick<Pace, 'startedAt' | 'endedAt'>,
  nowMs: number,
): number | null {
  if (startedAt === null) return null;
  return Math.max(0, (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));
}

/**
 * Remaining milliseconds if the rest takes as long as what was scored since the start; null while unknown, and at the
 * end.
 */
export function etaMs(pace: Pace, nowMs: number): number | null {
  const { scored, scoredBefore, total } = pace;
  const elapsed = elapsedMs(pace, nowMs);
  if (elapsed === null || scored <= scoredBefore || scored >= total) return null;
  return (elapsed / (scored - scoredBefore)) * (total - scored);
}
