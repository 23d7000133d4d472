import { type Attempt, routes } from '@agentclash/api';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useAll } from '../../data/use-all.js';
import { StepButtons } from '../../navigation/step-buttons.js';
import { attemptAddress, attemptName, caseAddress, type FullAttempt } from '../full-attempt.js';
import { VerdictSign, verdictOf } from '../verdict.js';
import css from './attempt.module.css';

interface AdjacentProps {
  attempt: FullAttempt;
  /** The tab that the other attempts are opened at. */
  tab: string;
}

function addressOf(id: string, tab: string): string {
  return attemptAddress(id, tab === 'transcript' ? {} : { tab });
}

/** The attempts of the same agent with the cases before and after this one. */
export function CaseButtons({ attempt, tab }: AdjacentProps) {
  const { run_id, run_agent_id, repetition, id } = attempt;
  const all = useAll(routes.runs.attempts, { params: { run_id }, query: { run_agent_id } });
  const cases = useMemo(
    () =>
      (all.data ?? [])
        .filter((each) => each.repetition === repetition && each.state !== 'skipped')
        .sort((a, b) => (a.case_key < b.case_key ? -1 : 1)),
    [all.data, repetition],
  );
  const at = cases.findIndex((each) => each.id === id);
  const to = (index: number) => cases[index] && addressOf(cases[index].id, tab);
  return (
    <StepButtons
      what="case"
      position={at}
      count={cases.length}
      previous={at > 0 ? to(at - 1) : undefined}
      next={at >= 0 ? to(at + 1) : undefined}
    />
  );
}

/** All attempts of the case: one click away, with their verdicts. */
export function AgentsOfCase({ attempt, tab }: AdjacentProps) {
  const { run_id, case_key } = attempt;
  const { data = [] } = useAll(routes.runs.attempts, { params: { run_id }, query: { case_key } });
  const others = useMemo(() => [...data].sort(byAgent), [data]);
  if (others.length < 2) return null;
  return (
    <nav aria-label="Agents of this case" className={css.agents}>
      {others.map((each) => (
        <Link
          key={each.id}
          to={addressOf(each.id, tab)}
          className={css.agent}
          aria-current={each.id === attempt.id ? 'page' : undefined}
        >
          <VerdictSign verdict={verdictOf(each)} /> {attemptName(each)}
        </Link>
      ))}
      <Link to={caseAddress(run_id, case_key)} className={css.agent}>
        All side by side
      </Link>
    </nav>
  );
}

function byAgent(a: Attempt, b: Attempt): number {
  if (a.agent_name !== b.agent_name) return a.agent_name < b.agent_name ? -1 : 1;
  return a.repetition - b.repetition;
}
