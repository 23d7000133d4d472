import type { EvaluationSpec } from '@agentclash/challengepack';
import type { AttemptEvidence, ValidatorResult } from '@agentclash/grading';
import { Grader } from '@agentclash/run-scoring';
import { leastBlockMs } from '@agentclash/testkit/event-loop';

interface Attempt {
  spec: EvaluationSpec;
  evidence: AttemptEvidence;
}

/** Ample: a busy machine does not change what is measured. */
const TIME_MS = 60_000;

/** Grades attempts of one validator as the service does, and measures how long its event loop is blocked. */
export class MeasuredGrader {
  private readonly grader = new Grader({
    threads: 1,
    memoryMib: 256,
    validatorMs: TIME_MS,
    attemptMs: TIME_MS,
    restMs: TIME_MS,
  });

  /** The result of the validator; an exception in it fails. */
  async resultOf({ spec, evidence }: Attempt): Promise<ValidatorResult> {
    const bugs: string[] = [];
    const input = { judge_records: [], security: undefined };
    const onBug = ({ stack }: { stack: string }) => bugs.push(stack);
    const { scorecard } = await this.grader.grade({ spec, evidence, input, onBug });
    const [result] = JSON.parse(scorecard).validators as ValidatorResult[];
    if (result === undefined || bugs.length > 0) throw new Error(bugs.join('\n') || 'no result');
    return result;
  }

  /** Milliseconds, of the best of several tries; stops at the first within the limit. */
  async blockMs(attempt: Attempt, limitMs: number): Promise<number> {
    return await leastBlockMs(() => this.resultOf(attempt), limitMs);
  }

  async stop(): Promise<void> {
    await this.grader.stop();
  }
}
