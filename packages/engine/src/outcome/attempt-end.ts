import type { FinishedBy, LimitKind, Outcome } from '@agentclash/domain';
import { PROVIDER_FAILURES, type ProviderFailureClass } from '@agentclash/models';
import type { SandboxEnd, SandboxError } from '@agentclash/sandbox';

type AgentErrorCode =
  | 'exit_nonzero'
  /** A coding agent names a failure in its output and exits with success. */
  | 'reported_failure'
  | 'signal'
  | 'endpoint_error'
  | 'malformed_reply'
  | 'content_filter'
  | 'empty_output'
  | 'script_stopped';

/**
 * The reason for which an attempt stopped, as its driver reports it. `message` is written by the platform, safe for
 * users.
 */
export type AttemptEnd =
  | { because: 'completed'; finishedBy: Exclude<FinishedBy, 'none'>; output: string }
  | { because: 'agent_error'; code: AgentErrorCode; message?: string }
  /** The message is given where a call was not made: with the numbers of that call. */
  | { because: 'limit'; limit: LimitKind; message?: string }
  | { because: 'policy'; rule: 'max_policy_denials' | 'canary_in_egress' }
  | { because: 'provider'; class: ProviderFailureClass; message?: string; retryAfterSeconds?: number }
  /** Permanent: a further delivery would end like this one. */
  | { because: 'infra'; code: string; message?: string; isPermanent?: boolean }
  /** Without a reason a user cancelled it. */
  | { because: 'cancelled'; reason?: CancelReason };

type CancelReason = 'human_turn_timeout' | 'budget';

const CANCEL_MESSAGES: Record<CancelReason, string> = {
  human_turn_timeout: 'the human turn timed out',
  budget: 'the budget of the run is used up',
};

/** The end of an attempt whose next call of a model could exceed the budget of its run. */
export const BUDGET_EXHAUSTED = { because: 'cancelled', reason: 'budget' } as const satisfies AttemptEnd;

/** The reason of an end as events record it; its values are public. */
export function reasonOf({ because }: AttemptEnd): string {
  return because === 'completed' ? 'answer' : because;
}

/** The outcome of an attempt, in the terms of the product. */
export interface AttemptOutcome {
  outcome: Outcome;
  finishedBy: FinishedBy;
  /** Only for `limit_reached`. */
  limit?: LimitKind;
  /** For outcomes other than `completed`; of `cancelled` only where no user cancelled. */
  code?: string;
  providerClass?: ProviderFailureClass;
  message?: string;
  /** True when a further delivery could end otherwise. */
  retryable: boolean;
  retryAfterSeconds?: number;
}

/** Sorts an end into its outcome (execution 1.5). */
export function outcomeOf(end: AttemptEnd): AttemptOutcome {
  switch (end.because) {
    case 'completed':
      return { outcome: 'completed', finishedBy: end.finishedBy, retryable: false };
    case 'agent_error':
      return failed('agent_error', { code: end.code, message: end.message });
    case 'limit':
      return failed('limit_reached', { limit: end.limit, code: end.limit, message: end.message });
    case 'policy':
      return failed('policy_violation', { code: end.rule });
    case 'provider':
      return providerOutcome(end);
    case 'infra':
      return failed('infra_error', {
        code: end.code,
        message: end.message,
        retryable: end.isPermanent !== true,
      });
    case 'cancelled':
      return failed('cancelled', cancelReason(end));
  }
}

function cancelReason({ reason }: Extract<AttemptEnd, { because: 'cancelled' }>): Partial<AttemptOutcome> {
  if (reason === undefined) return {};
  return { code: reason, message: CANCEL_MESSAGES[reason] };
}

type Death = Pick<SandboxEnd, 'death'> & Partial<Pick<SandboxEnd, 'message'>>;

/** Maps a sandbox's death to an end: memory is the agent's own limit, all else is an error of the platform. */
export function endOfDeadSandbox({ death, message }: Death): AttemptEnd {
  if (death === 'oom') return { because: 'limit', limit: 'memory' };
  return { because: 'infra', code: `sandbox_${death}`, ...(message !== undefined && { message }) };
}

/** The death that the error of a call reports. */
export function deathOf({ death = 'killed', message }: SandboxError): Death {
  return { death, message };
}

/** The end at too little CPU: a time limit that could not hold is no evidence about the agent. */
export const CPU_STARVED = {
  because: 'infra',
  code: 'cpu_starved',
  message: 'the machine had too little CPU for the time limits to hold',
} as const satisfies AttemptEnd;

/** The longest time in total in which the model calls of one attempt may wait for their accounts. */
export const ACCOUNT_WAIT_MS_MAX = 6 * 3_600_000;

/** The end of an attempt whose calls waited for longer: no evidence about the agent. */
export const ACCOUNT_WAIT_EXCEEDED = {
  because: 'infra',
  code: 'account_wait',
  message: `the model calls of the attempt waited for more than ${ACCOUNT_WAIT_MS_MAX / 3_600_000} hours for their accounts`,
} as const satisfies AttemptEnd;

/** The end of an agent whose workspace was lost with its sandbox: it holds only if the agent caused the death. */
export function endWithoutWorkspace(end: AttemptEnd, death: Death): AttemptEnd {
  const fatal = endOfDeadSandbox(death);
  return fatal.because === 'infra' ? fatal : end;
}

/** The end of an agent whose message is its final output. */
export function messageEnd(text: string, bytesMax: number): AttemptEnd {
  if (text.trim() === '')
    return { because: 'agent_error', code: 'empty_output', message: 'the final output is blank' };
  if (Buffer.byteLength(text) > bytesMax) return { because: 'limit', limit: 'output' };
  return { because: 'completed', finishedBy: 'message', output: text };
}

function providerOutcome(end: Extract<AttemptEnd, { because: 'provider' }>): AttemptOutcome {
  const row = PROVIDER_FAILURES[end.class];
  if (row.outcome === 'limit_reached') return failed('limit_reached', { limit: 'context', code: 'context' });
  if (row.outcome === 'agent_error') return failed('agent_error', { code: 'content_filter' });
  return failed('provider_error', {
    code: end.class,
    providerClass: end.class,
    message: end.message,
    retryable: row.retryable,
    retryAfterSeconds: end.retryAfterSeconds,
  });
}

function failed(
  outcome: Outcome,
  rest: Partial<Omit<AttemptOutcome, 'outcome' | 'finishedBy'>>,
): AttemptOutcome {
  return { retryable: false, ...rest, outcome, finishedBy: 'none' };
}

/** An agent's text goes into a message of one line. */
const QUOTED_LENGTH_MAX = 300;

/** The beginning of an agent's text, on one line, for a message about it. */
export function shortText(text: string): string {
  const line = text
    .slice(0, 4 * QUOTED_LENGTH_MAX)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > QUOTED_LENGTH_MAX ? `${line.slice(0, QUOTED_LENGTH_MAX).trimEnd()}…` : line;
}

/** Thrown where work must stop because the attempt has ended; drivers do not catch it. */
export class AttemptEnded extends Error {
  override readonly name = 'AttemptEnded';

  constructor(readonly end: AttemptEnd) {
    super(`the attempt ended: ${end.because}`);
  }
}

/** The latest failed try of a call that was tried again. */
export interface FailedTry {
  failure: ProviderFailureClass;
  message: string;
}

/** The reason for which a call was cancelled: where its provider had failed, no time limit of the agent. */
export function endOfCall({ reason }: AbortSignal, failed: FailedTry | undefined): unknown {
  if (!failed || !(reason instanceof AttemptEnded)) return reason;
  const { end } = reason;
  if (end.because !== 'limit' || end.limit !== 'time') return reason;
  return new AttemptEnded({ because: 'provider', class: failed.failure, message: failed.message });
}

/** Settles like `work`, or rejects with the signal's reason as soon as it aborts, also when `work` hangs. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined);
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
