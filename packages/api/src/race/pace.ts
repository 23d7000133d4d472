/** How far a lane or a race is, and since when: what its elapsed and remaining time follow from. */
export interface Pace {
  readonly total: number;
  readonly scored: number;
  /** How many were scored before `startedAt`: after a retry they do not tell how long the rest takes. */
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

/** Milliseconds to go if the rest takes as long as what was scored since the start; null while unknown, and at the end. */
export function etaMs(pace: Pace, nowMs: number): number | null {
  const { scored, scoredBefore, total } = pace;
  const elapsed = elapsedMs(pace, nowMs);
  if (elapsed === null || scored <= scoredBefore || scored >= total) return null;
  return (elapsed / (scored - scoredBefore)) * (total - scored);
}
