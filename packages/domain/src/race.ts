/** Questions of a sequential race: which of each pair is better, which lane is best, each lane against one baseline. */
export const RACE_GOALS = ['ranking', 'best', 'baseline'] as const;
export type RaceGoal = (typeof RACE_GOALS)[number];

/** The figure of an attempt that lanes are compared by: passed as 1 or 0, or its overall score. */
export const RACE_METRICS = ['pass', 'overall'] as const;
export type RaceMetric = (typeof RACE_METRICS)[number];

/** Why a run ended before all of its attempts were delivered. */
export const RUN_STOP_REASONS = ['decided', 'budget'] as const;
export type RunStopReason = (typeof RUN_STOP_REASONS)[number];

/** Bounds of what a sequential race may be requested with. */
export const ALPHA_MIN = 0.001;
export const ALPHA_MAX = 0.2;
export const MARGIN_MAX = 0.5;
/** The share of cases without a usable attempt of either lane, above which a pair has no verdict. */
export const RACE_MISSING_SHARE_MAX = 0.05;
/** Every seed is a 32-bit number. */
export const SEED_MAX = 0xffff_ffff;

/** Verdict of a pair of lanes, of the first one: over all cases `exact`, with the sign in the difference. */
export const PAIR_VERDICTS = ['better', 'worse', 'equivalent', 'exact', 'insufficient', 'undecided'] as const;
export type PairVerdict = (typeof PAIR_VERDICTS)[number];
