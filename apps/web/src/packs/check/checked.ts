import type { PackSummary, Problem } from '@agentclash/challengepack';

/** A document to check, with the paths of its available files. */
export interface CheckOrder {
  id: number;
  text: string;
  files: readonly string[];
}

/** The result of a check. */
export interface Checked {
  valid: boolean;
  problems: readonly Problem[];
  summary: PackSummary;
  /** Paths of the files that it refers to. */
  wanted: readonly string[];
}

export type CheckReply = { id: number } & ({ checked: Checked } | { bug: string });
