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
