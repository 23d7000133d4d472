import { ERRORS, type ErrorCode } from '@agentclash/contracts';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';

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
