import type { PackSummary, Problem } from '@agentclash/challengepack';

/** A document to check, with the paths of the files that are there beside it. */
export interface CheckOrder {
  id: number;
  text: string;
  files: readonly string[];
}

/** What checking it gave. */
export interface Checked {
  valid: boolean;
  problems: readonly Problem[];
  summary: PackSummary;
  /** Paths of the files that it refers to. */
  wanted: readonly string[];
}

export type CheckReply = { id: number } & ({ checked: Checked } | { bug: string });
