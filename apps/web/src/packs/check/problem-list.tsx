import type { Problem } from '@agentclash/challengepack';
import { Badge } from '../../design/badge.js';
import css from './check.module.css';

interface ProblemListProps {
  problems: readonly Problem[];
  onGoTo: (problem: Problem) => void;
}

const SHOWN_MAX = 200;

/** All problems in document order; each moves the cursor to its position. */
export function ProblemList({ problems, onGoTo }: ProblemListProps) {
  return (
    <ol className={css.problems}>
      {problems.slice(0, SHOWN_MAX).map((problem) => (
        <li key={`${problem.line}:${problem.column} ${problem.code} ${problem.field} ${problem.message}`}>
          <button type="button" className={css.problem} onClick={() => onGoTo(problem)}>
            <span className={css.position}>
              {problem.line}:{problem.column}
            </span>
            <Badge tone={problem.severity === 'error' ? 'bad' : 'warn'}>{problem.severity}</Badge>
            <code>{problem.code}</code>
            <span>
              {problem.field && <code>{problem.field}</code>} {problem.message}
            </span>
          </button>
        </li>
      ))}
      {problems.length > SHOWN_MAX && <li>and {problems.length - SHOWN_MAX} more</li>}
    </ol>
  );
}
