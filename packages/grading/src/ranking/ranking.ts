import { compareCodePoints } from '@agentclash/challengepack';
import type { RunAgentScorecard } from '../aggregate/types.js';
import { isTooMuchMissing } from '../aggregate/verdict.js';
import type { Validity } from '../scorecard/types.js';
import { isSame } from '../tolerance.js';

/** The few figures that order run agents. */
export interface Standing {
  readonly id: string;
  readonly validity: Validity;
  /** True when its missing share exceeds what its evaluation spec allows; default: it does not. */
  readonly too_much_missing?: boolean;
  readonly passed: boolean | null;
  readonly overall: number | null;
  readonly correctness: number | null;
  readonly reliability: number | null;
}

type RankingReason =
  | 'validity'
  | 'missing_share'
  | 'passed'
  | 'overall'
  | 'correctness'
  | 'reliability'
  | 'tie'
  | 'only_agent';

interface RankedAgent {
  readonly id: string;
  /** Dense, from 1; equal agents share a rank. */
  readonly rank: number;
  /** The first key that separates it from the agent above (the first agent: from the next). */
  readonly reason: RankingReason;
}

/** A row of a view sorted by one dimension; agents without it come last, unranked. */
interface DimensionRank {
  readonly id: string;
  readonly rank: number | null;
  readonly value: number | null;
}

type Key = Exclude<RankingReason, 'tie' | 'only_agent'>;

/** The criteria of the order of agents, in sequence; a higher figure comes first, null last. */
const KEYS: { [K in Key]: (standing: Standing) => number | null } = {
  validity: ({ validity }) => (validity === 'invalid' ? 0 : 1),
  missing_share: ({ too_much_missing }) => (too_much_missing === true ? 0 : 1),
  passed: ({ passed }) => (passed === null ? 1 : passed ? 2 : 0),
  overall: ({ overall }) => overall,
  correctness: ({ correctness }) => correctness,
  reliability: ({ reliability }) => reliability,
};
const KEY_ORDER: readonly Key[] = [
  'validity',
  'missing_share',
  'passed',
  'overall',
  'correctness',
  'reliability',
];

export interface RankedScorecard {
  readonly id: string;
  readonly scorecard: RunAgentScorecard;
}

/** The ranking of a run's agents, best first; equal agents share a dense rank and list by id. */
export function rankRunAgents(agents: readonly RankedScorecard[]): RankedAgent[] {
  return rankStandings(agents.map(({ id, scorecard }) => standingOf(id, scorecard)));
}

export function rankStandings(standings: readonly Standing[]): RankedAgent[] {
  const levels = KEY_ORDER.map((key) => levelsOf(standings.map(KEYS[key])));
  const rows = standings.map(({ id }, index) => ({ id, levels: levels.map((column) => column[index] ?? 0) }));
  rows.sort((a, b) => compareLevels(a.levels, b.levels) || compareCodePoints(a.id, b.id));
  let rank = 0;
  return rows.map((row, index) => {
    const above = rows[index - 1];
    if (above === undefined || compareLevels(above.levels, row.levels) !== 0) rank += 1;
    return { id: row.id, rank, reason: reasonFor(row.levels, (above ?? rows[1])?.levels) };
  });
}

function compareLevels(a: readonly number[], b: readonly number[]): number {
  const at = firstDifference(a, b);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function firstDifference(a: readonly number[], b: readonly number[]): number {
  return a.findIndex((level, index) => level !== b[index]);
}

function reasonFor(levels: readonly number[], adjacent: readonly number[] | undefined): RankingReason {
  if (adjacent === undefined) return 'only_agent';
  return KEY_ORDER[firstDifference(levels, adjacent)] ?? 'tie';
}

/** A view of the agents sorted by one dimension, best first; agents without it come last, unranked. */
export function rankByDimension(agents: readonly RankedScorecard[], dimension: string): DimensionRank[] {
  const values = agents.map(({ scorecard }) => scorecard.dimensions[dimension]?.mean ?? null);
  const levels = levelsOf(values);
  return agents
    .map(({ id }, index) => ({ id, value: values[index] ?? null, level: levels[index] ?? 0 }))
    .sort((a, b) => a.level - b.level || compareCodePoints(a.id, b.id))
    .map(({ id, value, level }) => ({ id, value, rank: value === null ? null : level + 1 }));
}

/**
 * Numbers each distinct value, highest first from 0, so that values equal but for rounding share a level. Levels
 * compare transitively where a tolerance on pairs would not. null comes last.
 */
function levelsOf(values: readonly (number | null)[]): number[] {
  const descending = [...new Set(values.filter((value) => value !== null))].sort((a, b) => b - a);
  const levels = new Map<number | null, number>();
  let level = -1;
  let head: number | undefined;
  for (const value of descending) {
    if (head === undefined || !isSame(head, value)) {
      level += 1;
      head = value;
    }
    levels.set(value, level);
  }
  return values.map((value) => levels.get(value) ?? level + 1);
}

/** The figures of a run agent's scorecard that a ranking looks at. */
function standingOf(id: string, scorecard: RunAgentScorecard): Standing {
  return {
    id,
    validity: scorecard.validity,
    too_much_missing: isTooMuchMissing(scorecard),
    passed: scorecard.passed,
    overall: scorecard.overall.mean,
    correctness: scorecard.dimensions.correctness?.mean ?? null,
    reliability: scorecard.dimensions.reliability?.mean ?? null,
  };
}
