import type { Failure } from '@agentclash/api';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../design/badge.js';
import { Button } from '../../design/button.js';
import { classes } from '../../design/classes.js';
import { formatCount } from '../../design/format.js';
import { attemptAddress, caseAddress } from '../full-attempt.js';
import { FailureExample } from './failure-example.js';
import css from './failures.module.css';
import type { FailureGroup } from './group-failures.js';

/** Members that an opened group shows at first, and more on demand. */
const MEMBERS_SHOWN = 100;

interface FailureGroupItemProps {
  runId: string;
  group: FailureGroup;
  /** Its example is loaded before it is opened. */
  hasExample: boolean;
}

/** A group of failures with its counts and one example; opened, each case with a link to its attempt. */
export function FailureGroupItem({ runId, group, hasExample }: FailureGroupItemProps) {
  const { agentName, reason, isOfAgent, attempts, cases, example } = group;
  const [isOpen, setOpen] = useState(false);
  const members = useId();
  return (
    <li className={css.group}>
      <button
        type="button"
        className={classes(css.summary, isOpen && css.open)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? members : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={16} aria-hidden="true" />
        <span className={css.agent}>{agentName}</span> <span className={css.reason}>{reason}</span>{' '}
        {!isOfAgent && <Badge tone="warn">platform</Badge>}{' '}
        <span className={css.counts}>
          {counted(attempts, 'attempt')}, {counted(cases, 'case')}
        </span>
      </button>
      {(hasExample || isOpen) && (
        <div className={css.example}>
          <span className={css.label}>Example:</span> <FailureExample {...example} />
        </div>
      )}
      {isOpen && <Members id={members} runId={runId} failures={group.failures} />}
    </li>
  );
}

interface MembersProps {
  id: string;
  runId: string;
  failures: readonly Failure[];
}

function Members({ id, runId, failures }: MembersProps) {
  const [shown, setShown] = useState(MEMBERS_SHOWN);
  return (
    <>
      <ul id={id} className={css.members}>
        {failures.slice(0, shown).map((failure) => (
          <li key={`${failure.cluster_key} ${failure.case_key}`}>
            <Member runId={runId} failure={failure} />
          </li>
        ))}
      </ul>
      {failures.length > shown && (
        <Button onClick={() => setShown(shown + MEMBERS_SHOWN)}>
          More of {formatCount(failures.length)} failures
        </Button>
      )}
    </>
  );
}

/** One case: a link to an attempt that failed, and to all attempts of the case where several did. */
function Member({ runId, failure }: { runId: string; failure: Failure }) {
  const { attempt_id, case_key, run_agent_id, attempts, code, severity, runs } = failure;
  return (
    <>
      <Link to={attemptAddress(attempt_id)}>{case_key}</Link>{' '}
      {attempts > 1 && (
        <Link to={caseAddress(runId, case_key, { agent: run_agent_id })}>{counted(attempts, 'attempt')}</Link>
      )}{' '}
      <span className={css.facts}>
        <code>{code}</code> {severity}
        {runs > 1 && `, in ${formatCount(runs)} runs`}
      </span>
    </>
  );
}

/** Such as `1 case`, `2,000 cases`. */
export function counted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}
