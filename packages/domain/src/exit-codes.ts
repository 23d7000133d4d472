/** The exit codes of the command line. */
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
export type ExitName = keyof typeof EXIT_CODES;
export type ExitCode = (typeof EXIT_CODES)[ExitName];

/** The exit codes of services and their tools, after sysexits.h. */
export const SERVICE_EXIT_CODES = {
  usage: EXIT_CODES.usage,
  unavailable: EXIT_CODES.unavailable,
  /** `EX_CONFIG`: the environment is not valid. */
  misconfigured: 78,
} as const;
