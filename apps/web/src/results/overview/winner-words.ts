import {
  comparedRaceLines,
  type LaneComparison,
  reasonInWords,
  roundedP,
  shownInterval,
} from '@agentclash/api';
import { formatCount, formatScore } from '../../design/format.js';
import type { RankedLane } from '../estimates.js';

type Ranked = Pick<RankedLane, 'id' | 'name' | 'rank' | 'overall'>;

/** The agents at the top of a ranking, and the one after them. */
export interface Leaders<Lane extends Ranked> {
  first: Lane[];
  next: Lane | undefined;
}

export function leadersOf<Lane extends Ranked>(lanes: readonly Lane[]): Leaders<Lane> {
  const ranked = lanes
    .filter(({ rank, overall }) => rank !== null && overall.mean !== null)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  const first = ranked.filter(({ rank }) => rank === ranked[0]?.rank);
  return { first, next: ranked[first.length] };
}

export interface WinnerText {
  /** Who won, by how much. */
  headline: string;
  /** How certain that is. */
  certainty: string;
  isSignificant: boolean;
}

/** Without a test of the first against the second. */
export function untestedWinner({ first, next }: Leaders<Ranked>): WinnerText | undefined {
  const [winner] = first;
  if (winner === undefined) {
    return { headline: 'No winner', certainty: 'No agent has a score.', isSignificant: false };
  }
  if (first.length > 1) {
    const names = `${first
      .slice(0, -1)
      .map(({ name }) => name)
      .join(', ')} and ${first.at(-1)?.name}`;
    return { headline: `Tie: ${names}`, certainty: 'No figure separates them.', isSignificant: false };
  }
  if (next === undefined) {
    return {
      headline: `${winner.name} scored ${formatScore(winner.overall.mean)}`,
      certainty: 'There is no other agent to compare it with.',
      isSignificant: false,
    };
  }
  return undefined;
}

/** The level of the verdicts of comparisons. */
const ALPHA = 0.05;

/**
 * The winner with the test of its score against that of the second, over their common cases. Who is first and second was
 * chosen by the results: its lead counts as significant only if it would among all pairs of the agents (Bonferroni).
 */
export function testedWinner(
  { winner, next, agents }: { winner: Ranked; next: Ranked; agents: number },
  { comparable, reasons, cases, race, overall }: LaneComparison,
): WinnerText {
  const first = `${winner.name} ranks first with ${formatScore(winner.overall.mean)}`;
  // Of a run that stopped early the race has the only valid verdict.
  if (race !== undefined) {
    return {
      headline: first,
      certainty: comparedRaceLines(race).join('. '),
      isSignificant: race.verdict === 'better',
    };
  }
  const { state, mean_difference: lead, verdict, negligible, p_adjusted: p } = overall;
  if (!comparable || state !== 'available' || lead === null) {
    const why = reasons.length > 0 ? `: ${reasons.map((reason) => reasonInWords(reason)).join(', ')}` : '';
    return {
      headline: first,
      certainty: `Its lead over ${next.name} could not be tested${why}.`,
      isSignificant: false,
    };
  }
  const interval = shownInterval(overall);
  const figures = `${signed(lead)}${interval ? ` [${signed(interval[0])}, ${signed(interval[1])}]` : ''}`;
  const over = `over ${formatCount(cases)} common ${cases === 1 ? 'case' : 'cases'}`;
  if (lead <= 0) {
    return {
      headline: `${winner.name} ranks first`,
      certainty: `Its score is not ahead of ${next.name}: ${figures} ${over}.`,
      isSignificant: false,
    };
  }
  const headline = `${winner.name} leads ${next.name} by ${figures}`;
  const pairs = (agents * (agents - 1)) / 2;
  const isSignificant = verdict === 'better' && p !== null && p * pairs < ALPHA;
  const test = p === null ? '' : ` (p ${withSign(roundedP(p))})`;
  if (isSignificant) return { headline, certainty: `Significant ${over}${test}.`, isSignificant };
  if (verdict === 'better') {
    return {
      headline,
      certainty: `Significant for these two alone ${over}${test}, but not as the best of ${formatCount(pairs)} pairs of agents.`,
      isSignificant,
    };
  }
  return {
    headline,
    certainty: `Not significant ${over}${test}${negligible ? ': the difference is shown to be negligible' : ''}.`,
    isSignificant,
  };
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${formatScore(value)}`;
}

function withSign(p: string): string {
  return p.startsWith('<') ? `< ${p.slice(1)}` : `= ${p}`;
}
