import { ApiError } from '@agentclash/api';
import type { ReactNode } from 'react';
import { Button } from './button.js';
import css from './states.module.css';

const ADVICE: Partial<Record<ApiError['code'], string>> = {
  unavailable: 'The server is unavailable. This page retries automatically.',
  forbidden: 'Sign in with a token that has the required role; an admin of the workspace can create one.',
  not_found: 'It may have been removed, or it belongs to another workspace.',
  rate_limited: 'Wait a moment, then try again.',
};

interface FailureProps {
  error: unknown;
  onRetry?: () => void;
  /** True when the problem of a field is listed; default: all are. */
  isListed?: (problem: ApiError['errors'][number]) => boolean;
}

/** An error: what failed, why, and the next step. All of it is plain text. */
export function Failure({ error, onRetry, isListed = () => true }: FailureProps) {
  const isApi = error instanceof ApiError;
  const listed = isApi ? error.errors.filter(isListed) : [];
  const advice = isApi ? ADVICE[error.code] : 'This is an error of the page: reload it.';
  return (
    <div className={css.failure} role="alert">
      <p className={css.stateTitle}>{isApi ? error.detail : 'The page failed.'}</p>
      {!isApi && <p>{error instanceof Error ? error.message : String(error)}</p>}
      {listed.length > 0 && (
        <ul>
          {listed.map((problem) => (
            <li key={`${problem.field} ${problem.code} ${problem.message}`}>
              <code>{problem.field}</code> {problem.message}
            </li>
          ))}
        </ul>
      )}
      {advice && <p>{advice}</p>}
      <p className={css.fine}>
        {isApi && (
          <>
            <code>{error.code}</code>
            {error.request_id && <> · request {error.request_id}</>}
          </>
        )}
      </p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** An empty state: its title, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.empty}>
      <p className={css.stateTitle}>{title}</p>
      {children}
    </div>
  );
}

/** Loading indicator; it appears after a delay, so that fast responses do not flicker. */
export function Loading({ what }: { what: string }) {
  return (
    <div className={css.loading} role="status">
      <span className={css.bars} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>Loading {what} …</span>
    </div>
  );
}
