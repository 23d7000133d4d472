import type { ScriptStep } from '@agentclash/domain';

/** The time limit of a command that names none. */
export const SOLUTION_SECONDS = 300;

/** A file that a solution writes; exactly one of `asset` and `content` is present. */
export interface SolutionFile {
  /** Relative to the working directory, or absolute. */
  path: string;
  asset?: string;
  /** A template of the case. */
  content?: string;
  executable?: boolean;
}

/**
 * The proof that a case can be passed; no agent receives any of it. Either `steps`, or one or more of `files`, `run` and
 * an answer.
 */
export interface Solution {
  files?: SolutionFile[];
  /** A shell command in the agent's sandbox, after the files. */
  run?: string;
  /** Of `run`. Absent: 300. */
  timeout_seconds?: number;
  /** Of `run`, as literals. */
  environment?: Record<string, string>;
  steps?: ScriptStep[];
  /** The final output: a template of the case. */
  answer?: string;
  /** The final output: a reference to a part of the case. */
  answer_from?: string;
}
