import type { Problem, QuickFix } from '@agentclash/challengepack';
import { Badge } from '../../design/badge.js';
import { Button } from '../../design/button.js';
import { formatCount } from '../../design/format.js';
import { fixName } from '../../editor/problem-marks.js';
import type { Checked } from '../../editor/worker/orders.js';
import css from './check.module.css';

const COUNTED = ['challenges', 'input_sets', 'cases', 'tools'] as const;

/** The validity and the summary of the document, as far as it can be read. */
export function Verdict({ checked, bug }: { checked: Checked | undefined; bug: string | undefined }) {
  if (bug !== undefined) return <p role="alert">{bug}</p>;
  if (checked === undefined) return <p className={css.hint}>Nothing to check yet.</p>;
  const { valid, problems, summary } = checked;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  return (
    <div className={css.verdict}>
      <p role="status">
        <Badge tone={valid ? 'good' : 'bad'}>{valid ? 'valid' : 'not valid'}</Badge> {formatCount(errors)}{' '}
        {errors === 1 ? 'error' : 'errors'}, {formatCount(warnings)} {warnings === 1 ? 'warning' : 'warnings'}
      </p>
      <dl className={css.summary}>
        <dt>pack</dt>
        <dd>
          {summary.slug ?? '?'} v{summary.number ?? '?'}, {summary.execution_mode ?? '?'}
        </dd>
        {COUNTED.map((name) => (
          <div key={name}>
            <dt>{name.replace('_', ' ')}</dt>
            <dd>{summary[name] ?? '?'}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface ProblemListProps {
  problems: readonly Problem[];
  /** By the index of the problem that each removes. */
  fixes: ReadonlyMap<number, QuickFix>;
  onGoTo: (problem: Problem) => void;
  onFix: (fix: QuickFix) => void;
}

const SHOWN_MAX = 200;

/** All problems in document order; each moves the cursor to its position. */
export function ProblemList({ problems, fixes, onGoTo, onFix }: ProblemListProps) {
  return (
    <ol className={css.problems}>
      {problems.slice(0, SHOWN_MAX).map((problem, index) => (
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
          <FixButton fix={fixes.get(index)} onFix={onFix} />
        </li>
      ))}
      {problems.length > SHOWN_MAX && <li>and {problems.length - SHOWN_MAX} more</li>}
    </ol>
  );
}

function FixButton({ fix, onFix }: { fix: QuickFix | undefined; onFix: (fix: QuickFix) => void }) {
  if (fix === undefined) return null;
  return (
    <p className={css.fix}>
      <Button onClick={() => onFix(fix)}>{fixName(fix)}</Button>
    </p>
  );
}
