import type { DimensionSource } from '@agentclash/challengepack';
import type { Scorecard } from '@agentclash/grading';

/** Sources that rate the work of an agent; time, cost and conduct are left out. */
const SOURCES: ReadonlySet<DimensionSource> = new Set<DimensionSource>(['validators', 'report', 'llm_judge']);

/** Scores lie this much apart at least. */
const EPSILON = 1e-9;

/** The gain of an attempt: scores of 0..1 by key. */
export interface Points {
  /** Null where it has no verdict, as without the reply of a judge. */
  passed: boolean | null;
  /** A judge is missing: `passed` is the verdict of everything else. */
  lacksJudges: boolean;
  /** 0 where a gate does not hold or a security rule is broken, whatever its dimensions are; null without evidence. */
  overall: number | null;
  /** Available dimensions that rate the work. */
  dimensions: Readonly<Record<string, number>>;
  /** Scored validators. */
  validators: Readonly<Record<string, number>>;
}

/** The points of a scorecard. */
export function pointsOf(card: Scorecard): Points {
  const dimensions = card.dimensions.flatMap(({ key, source, score }) =>
    score !== null && SOURCES.has(source) ? [[key, score] as const] : [],
  );
  const validators = card.validators.flatMap(({ key, score }) =>
    score === null ? [] : [[key, score] as const],
  );
  return {
    passed: card.passed ?? passedWithoutJudges(card),
    lacksJudges: card.dimensions.some(({ source, state }) => source === 'llm_judge' && state !== 'available'),
    overall: card.security?.passed === false ? 0 : card.overall,
    dimensions: Object.fromEntries(dimensions),
    validators: Object.fromEntries(validators),
  };
}

/** Where judges alone are missing: true when every other dimension that rates the work reaches its threshold. */
function passedWithoutJudges({ dimensions }: Scorecard): boolean | null {
  const missing = dimensions.filter(({ source, state }) => state !== 'available' && SOURCES.has(source));
  if (missing.some(({ source }) => source !== 'llm_judge')) return null;
  const rated = dimensions.filter(({ source, score }) => score !== null && SOURCES.has(source));
  if (rated.length === 0) return null;
  return rated.every(({ score, pass_threshold: bar }) => (score ?? 0) >= (bar ?? 1) - EPSILON);
}

/** True for what passes without a judge, where no agent without work does. */
export function passesAlone(points: Points | null | undefined, others: readonly Points[]): boolean {
  return points?.passed === true && !points.lacksJudges && others.every(({ passed }) => passed !== true);
}

/** The dimensions and validators in which `points` are above each of `others`. */
export interface Gain {
  dimensions: string[];
  validators: string[];
}

export function gainOver(points: Points, others: readonly Points[]): Gain {
  const above = (kind: 'dimensions' | 'validators') =>
    Object.entries(points[kind]).flatMap(([key, score]) =>
      others.every((other) => score > (other[kind][key] ?? 0) + EPSILON) ? [key] : [],
    );
  return { dimensions: above('dimensions'), validators: above('validators') };
}
