import type { ValidatorOutcome } from '../validators/result.js';
import type { FailedAttempt } from './types.js';

/** A validator or judge that the agent failed (a judge has neither type nor reason). */
interface FailingSignal {
  readonly key: string;
  readonly type: string | null;
  readonly reason: string | null;
}

/** A failed attempt with the inputs of its rules computed once. */
export interface FailureSignals {
  readonly failed: FailedAttempt;
  readonly failing: readonly FailingSignal[];
  /** The failing keys, folded for comparison. */
  readonly keys: readonly string[];
}

export function failureSignals(failed: FailedAttempt): FailureSignals {
  const failing: FailingSignal[] = [
    ...failed.validators.filter(({ outcome }) => outcome === 'agent_fail'),
    ...failed.judges.filter((judge) => judge.failing).map(({ key }) => ({ key, type: null, reason: null })),
  ];
  return { failed, failing, keys: failing.map(({ key }) => key.toLowerCase()) };
}

export function nothingFails({ failing }: FailureSignals): boolean {
  return failing.length === 0;
}

export function hasOutcome({ failed }: FailureSignals, ...outcomes: readonly ValidatorOutcome[]): boolean {
  return failed.validators.some(({ outcome }) => outcomes.includes(outcome));
}

export function keyContains({ keys }: FailureSignals, ...parts: readonly string[]): boolean {
  return keys.some((key) => parts.some((part) => key.includes(part)));
}

export function keyBegins({ keys }: FailureSignals, ...starts: readonly string[]): boolean {
  return keys.some((key) => starts.some((start) => key.startsWith(start)));
}
