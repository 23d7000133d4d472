import type { JudgeSample } from '@agentclash/grading';

export interface StoredSample {
  attemptId: string;
  judgeKey: string;
  /** The key of the question. */
  question: string;
  sample: JudgeSample;
}

/** Samples of judges by attempt, and their replies by question for other attempts of the workspace. */
export interface JudgeSamples {
  /** The samples of an attempt by `sampleKey`. */
  ofAttempt(attemptId: string): Promise<ReadonlyMap<string, JudgeSample>>;
  /** Adds samples of attempts of one run; existing ones are kept. */
  add(runId: string, samples: readonly StoredSample[]): Promise<void>;
  findReply(workspaceId: string, key: string): Promise<string | undefined>;
  addReply(workspaceId: string, key: string, reply: string): Promise<void>;
}

export function sampleKey(judgeKey: string, question: string): string {
  return `${question} ${judgeKey}`;
}
