import { Link } from 'wouter';
import { attemptAddress } from '../full-attempt.js';
import { ComparedSides, failedChecks } from '../scorecard/failed-checks.js';
import { useScorecard } from '../scorecard/use-scorecard.js';
import type { FailureGroup } from './group-failures.js';

/** One attempt with what its first failed check expected and got. */
export function FailureExample({ attempt_id, case_key }: FailureGroup['example']) {
  const { card } = useScorecard(attempt_id);
  const compared = card === null ? undefined : failedChecks(card).find((check) => check.compared)?.compared;
  return (
    <>
      <Link to={attemptAddress(attempt_id, {})}>{case_key}</Link>
      {compared && <ComparedSides line={compared} />}
    </>
  );
}
