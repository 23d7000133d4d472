import { routes } from '@agentclash/api';
import { useRead } from '../../data/use-read.js';
import { Badge } from '../../design/badge.js';
import type { RankedLane } from '../estimates.js';
import css from './overview.module.css';
import { leadersOf, testedWinner, untestedWinner, type WinnerText } from './winner-words.js';

/** The winner in a sentence, with the test of its lead over the second. */
export function Winner({ runId, lanes }: { runId: string; lanes: readonly RankedLane[] }) {
  const leaders = leadersOf(lanes);
  const untested = untestedWinner(leaders);
  const [winner] = leaders.first;
  const { next } = leaders;
  if (untested !== undefined || winner === undefined || next === undefined) {
    return untested === undefined ? null : <Sentence text={untested} />;
  }
  const agents = lanes.filter(({ overall }) => overall.mean !== null).length;
  return <TestedWinner runId={runId} winner={winner} next={next} agents={agents} />;
}

interface TestedProps {
  runId: string;
  winner: RankedLane;
  next: RankedLane;
  /** With a score. */
  agents: number;
}

function TestedWinner({ runId, winner, next, agents }: TestedProps) {
  const { data, error } = useRead(routes.comparisons.compare, {
    query: { baseline: runId, candidate: runId, baseline_agent: next.id, candidate_agent: winner.id },
  });
  const comparison = data?.comparisons[0];
  if (comparison !== undefined) {
    return <Sentence text={testedWinner({ winner, next, agents }, comparison)} />;
  }
  const certainty = error ? 'Its lead could not be tested.' : 'Testing its lead …';
  return <Sentence text={{ headline: `${winner.name} ranks first`, certainty, isSignificant: false }} />;
}

function Sentence({ text: { headline, certainty, isSignificant } }: { text: WinnerText }) {
  return (
    <section className={css.winner} aria-label="Winner">
      <p className={css.headline}>{headline}</p>
      <p>
        {isSignificant && <Badge tone="good">significant</Badge>} {certainty}
      </p>
    </section>
  );
}
