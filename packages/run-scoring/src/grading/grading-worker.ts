import { canonicalJson, type EvaluationSpec } from '@agentclash/challengepack';
import type { RecordedMetric } from '@agentclash/contracts';
import type { PackError } from '@agentclash/domain';
import {
  type AttemptEvidence,
  composeScorecard,
  isApplicable,
  type JudgeRecord,
  judgeResults,
  lacksEvidence,
  packErrorOf,
  type ReplyReading,
  type ReplyRules,
  replyReader,
  type Scorecard,
  type ScoringHashes,
  type SecurityInput,
  scoreValidators,
  scoringHashes,
  type ValidatorResult,
} from '@agentclash/grading';

/** Inputs of grading besides the evidence. */
export interface GradingInput {
  judge_records: readonly JudgeRecord[];
  security: SecurityInput | undefined;
}

/** An attempt to be graded. */
export interface GradingSubject {
  evidence: AttemptEvidence;
  input: GradingInput;
}

/**
 * A batch of attempts, or one step of grading. The steps of one attempt follow its `open`, in the same thread. Attempts
 * are JSON of `GradingSubject[]`: as text they reach a thread in a third of the time that objects take.
 */
export type GradingTask =
  | { step: 'grade'; spec: EvaluationSpec; attempts: string }
  | { step: 'open'; spec: EvaluationSpec; evidence: AttemptEvidence }
  | { step: 'validate'; index: number }
  | { step: 'compose'; validators: readonly ValidatorResult[]; input: GradingInput }
  | { step: 'read_reply'; rules: ReplyRules; reply: string; labels: readonly string[] };

/** The result of each step. */
export interface GradingReplies {
  /** By attempt, in their order. */
  grade: (GradedAttempt | GradingBug)[];
  open: null;
  validate: ValidatorResult;
  compose: Graded;
  read_reply: ReplyReading;
}

/** The part of a scorecard that is published with its attempt. */
type AttemptFigures = Pick<Scorecard, 'overall' | 'passed' | 'validity'> & {
  pack_error: PackError | null;
  /** Set where it failed only because something could not be judged. */
  lacks_evidence?: true;
};

export interface Graded {
  /** Canonical JSON. */
  scorecard: string;
  figures: AttemptFigures;
  /** As the attempt's history records them. */
  metrics: RecordedMetric[];
  hashes: ScoringHashes;
}

/** An attempt graded in one step, with the exceptions of its validators. */
export interface GradedAttempt {
  graded: Graded;
  bugs: { validator: string; bug: GradingBug['bug'] }[];
}

/** An exception (a bug) in a form that crosses threads. */
export interface GradingBug {
  bug: { message: string; stack: string };
  /** The substitute result, where the bug is in one validator. */
  value?: ValidatorResult;
}
export type GradingReply = { value: GradingReplies[keyof GradingReplies] } | GradingBug;

/** Grades attempts in a batch, or step by step, so that the caller can find the slow step. */
export class GradingWorker {
  private attempt: { spec: EvaluationSpec; evidence: AttemptEvidence } | undefined;

  run(task: GradingTask): GradingReply {
    try {
      return this.work(task);
    } catch (error) {
      return bugOf(error);
    }
  }

  private work(task: GradingTask): GradingReply {
    switch (task.step) {
      case 'grade':
        return { value: this.gradeAll(task.spec, JSON.parse(task.attempts)) };
      case 'open':
        this.attempt = { spec: task.spec, evidence: task.evidence };
        return { value: null };
      case 'validate':
        return this.validate(task.index);
      case 'compose':
        return { value: this.compose(task.validators, task.input) };
      case 'read_reply':
        return { value: replyReader(task.rules)(task.reply, task.labels) };
    }
  }

  /** A bug in the grading of one attempt does not affect the others. */
  private gradeAll(
    spec: EvaluationSpec,
    attempts: readonly GradingSubject[],
  ): (GradedAttempt | GradingBug)[] {
    return attempts.map(({ evidence, input }) => {
      this.attempt = { spec, evidence };
      try {
        return this.grade(input);
      } catch (error) {
        return bugOf(error);
      }
    });
  }

  private grade(input: GradingInput): GradedAttempt {
    const validators: ValidatorResult[] = [];
    const bugs: GradedAttempt['bugs'] = [];
    const { spec, evidence } = this.opened;
    for (const [index, validator] of spec.validators.entries()) {
      if (!isApplicable(validator, evidence)) continue;
      const { value, bug } = this.validate(index);
      validators.push(value);
      if (bug !== undefined) bugs.push({ validator: validator.key, bug });
    }
    return { graded: this.compose(validators, input), bugs };
  }

  private validate(index: number): { value: ValidatorResult; bug?: GradingBug['bug'] } {
    const { spec, evidence } = this.opened;
    const bugs: GradingBug[] = [];
    const validators = spec.validators.slice(index, index + 1);
    const onBug = (error: unknown) => bugs.push(bugOf(error));
    const [value] = scoreValidators({ validators }, evidence, { onBug });
    if (value === undefined) throw new RangeError(`the spec has no validator ${index}`);
    const [bug] = bugs;
    return bug === undefined ? { value } : { ...bug, value };
  }

  private compose(validators: readonly ValidatorResult[], { judge_records, security }: GradingInput): Graded {
    const { spec, evidence } = this.opened;
    const { judge_limits: limits } = spec.scorecard;
    const judges = judgeResults(spec.llm_judges, { limits, evidence, records: judge_records });
    const card = composeScorecard(spec, evidence, { validators, judges, security });
    const { overall, passed, validity } = card;
    const isUnjudged = lacksEvidence(card, spec.scorecard.strategy);
    return {
      scorecard: canonicalJson(card),
      figures: {
        ...{ overall, passed, validity, pack_error: packErrorOf(spec, card) ?? null },
        ...(isUnjudged && { lacks_evidence: true }),
      },
      metrics: card.metrics.map(({ key, state, value }) => ({ key, state, value })),
      hashes: scoringHashes(spec, evidence, { judge_records, security }),
    };
  }

  private get opened() {
    if (this.attempt === undefined) throw new TypeError('no attempt is open');
    return this.attempt;
  }
}

function bugOf(error: unknown): GradingBug {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { bug: { message, stack } };
}
