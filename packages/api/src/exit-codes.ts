import { ERRORS, type ErrorCode } from '@agentclash/contracts';

/** What a command ends with. */
export const EXIT_CODES = {
  ok: 0,
  /** The run or the gate failed. */
  failed: 1,
  /** The gate warns. */
  warned: 2,
  insufficient_evidence: 3,
  /** Wrong usage, or an invalid pack. */
  usage: 64,
  not_found: 66,
  unavailable: 69,
  try_again: 75,
  unauthorized: 77,
} as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT_CODES.unauthorized,
  403: EXIT_CODES.unauthorized,
  404: EXIT_CODES.not_found,
  429: EXIT_CODES.try_again,
  500: EXIT_CODES.try_again,
  503: EXIT_CODES.unavailable,
};

/** The exit code of a command that an error with this code ended. */
export function exitCodeOf(code: ErrorCode): ExitCode {
  return BY_STATUS[ERRORS[code].http] ?? EXIT_CODES.usage;
}
