import type { PackError, PackErrorOfRun, Run } from '@agentclash/contracts';
import type { RunStatus } from '@agentclash/domain';

/** A run fails when so many attempts have the same pack error and none has been graded. */
export const SAME_PACK_ERRORS_MAX = 10;

/** Kinds of errors that a run keeps; each is of one validator. */
const KINDS_MAX = 20;

/** One attempt's error, before and after it was scored. */
export interface PackErrorChange {
  case_key: string;
  before: PackError | null;
  after: PackError | null;
}

/** The errors of a run after some of its attempts were scored, the most frequent first. */
export function changedPackErrors(
  errors: readonly PackErrorOfRun[],
  changes: readonly PackErrorChange[],
): PackErrorOfRun[] {
  const kinds = new Map(errors.map((error) => [kindOf(error), error]));
  const add = (error: PackError, case_key: string, attempts: number) => {
    const kind = kindOf(error);
    const known = kinds.get(kind);
    if (known !== undefined) kinds.set(kind, { ...known, attempts: known.attempts + attempts });
    else if (attempts > 0 && kinds.size < KINDS_MAX) kinds.set(kind, { ...error, case_key, attempts });
  };
  for (const { case_key, before, after } of changes) {
    if (before !== null) add(before, case_key, -1);
    if (after !== null) add(after, case_key, 1);
  }
  return [...kinds.values()].filter(({ attempts }) => attempts > 0).sort((a, b) => b.attempts - a.attempts);
}

/** True when a run cannot come to anything: the same error in many attempts, and not one usable scorecard. */
export function isUngradable(errors: readonly PackErrorOfRun[], usable: number): boolean {
  return usable === 0 && errors.some(({ attempts }) => attempts >= SAME_PACK_ERRORS_MAX);
}

/** Why a run has failed; undefined for one that has not. */
export function failureOf(status: RunStatus, errors: readonly PackErrorOfRun[]): Run['failure'] {
  if (status !== 'failed') return undefined;
  const [first] = errors;
  if (first === undefined) return { code: 'nothing_graded', message: 'No attempt could be graded.' };
  return { code: 'pack_errors', message: `No attempt could be graded: ${first.message}.` };
}

/** The value differs from case to case. */
function kindOf({ validator, type, reason, expected_from }: PackError): string {
  return JSON.stringify([validator, type, reason, expected_from]);
}
