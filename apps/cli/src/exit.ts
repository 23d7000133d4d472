import type { EXIT_CODES } from '@agentclash/api';

/** What a command ends with; the table of the API package, without loading that at start. */
export const EXIT = {
  ok: 0,
  failed: 1,
  warned: 2,
  insufficient_evidence: 3,
  usage: 64,
  not_found: 66,
  unavailable: 69,
  try_again: 75,
  unauthorized: 77,
} as const satisfies typeof EXIT_CODES;

export type ExitName = keyof typeof EXIT;
export type ExitCode = (typeof EXIT)[ExitName];
