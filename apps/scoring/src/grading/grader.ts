import type { EvaluationSpec } from '@agentclash/challengepack';
import {
  type AttemptEvidence,
  overrunResult,
  type ReplyReading,
  type ReplyRules,
  type ValidatorResult,
} from '@agentclash/scoring';
import { TaskThread, ThreadOverrun } from '@agentclash/service-kit';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type {
  Graded,
  GradingAnswer,
  GradingAnswers,
  GradingBug,
  GradingInput,
  GradingTask,
} from './grading-desk.js';

export interface GraderLimits {
  /** Graded at the same time. */
  threads: number;
  memoryMib: number;
  validatorMs: number;
  /** All validators of an attempt together; those that are left then are not run. */
  attemptMs: number;
  /** Everything that is no validator: the rest of the scorecard, or one judge's reply. */
  restMs: number;
}

/** Far beyond what honest evidence takes. */
export const GRADING_TIMES = {
  validatorMs: 5_000,
  attemptMs: 30_000,
  restMs: 10_000,
} as const satisfies Partial<GraderLimits>;

export interface GradingWork {
  spec: EvaluationSpec;
  evidence: AttemptEvidence;
  input: GradingInput;
  /** Told of an exception in a validator, which is our bug; its result is an `evaluator_error`. */
  onBug: (bug: GradingBug['bug'], validatorKey: string) => void;
}

/**
 * Grades in threads of their own, so that no pattern, schema or text can hold up the service: limited in time and memory,
 * replaced when a task has brought one down. A validator that overruns is an error of its own, the others still count.
 */
@Injectable()
export class Grader implements OnModuleDestroy {
  private readonly threads = new Set<TaskThread>();
  private readonly idle: TaskThread[] = [];
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor(private readonly limits: GraderLimits) {}

  /** The attempt's scorecard. Fails with `ThreadOverrun` when all but the validators takes too much. */
  async grade(work: GradingWork): Promise<Graded> {
    return await this.inTurn(async (bench) => {
      const graded = await this.gradeAtOnce(bench, work);
      if (graded !== undefined) return graded;
      const validators = await this.validate(bench, work);
      await bench.open(work, this.limits.restMs);
      return await bench.ask({ step: 'compose', validators, input: work.input }, this.limits.restMs);
    });
  }

  /** What a judge's reply says; a reply that takes too much to read is no reply. */
  async readReply(rules: ReplyRules, reply: string, labels: readonly string[]): Promise<ReplyReading> {
    const task = { step: 'read_reply', rules, reply, labels } as const;
    return await this.inTurn((bench) => bench.ask(task, this.limits.restMs)).catch((error) => {
      if (!(error instanceof ThreadOverrun)) throw error;
      return { state: 'error', reason: 'unparsable', score: null, ranking: null };
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.stop()));
  }

  /**
   * In the time that a single validator may take, so that none of them can have taken longer; nothing when that was not
   * enough and it must be found out which one is to blame.
   */
  private async gradeAtOnce(bench: Bench, { spec, evidence, input, onBug }: GradingWork) {
    const leftMs = Math.min(this.limits.validatorMs, this.limits.attemptMs);
    if (leftMs <= 0) return undefined;
    try {
      const task = { step: 'grade', spec, evidence, input } as const;
      const { graded, bugs } = await bench.ask(task, leftMs);
      for (const { validator, bug } of bugs) onBug(bug, validator);
      return graded;
    } catch (error) {
      if (error instanceof ThreadOverrun) return undefined;
      throw error;
    }
  }

  private async validate(bench: Bench, work: GradingWork): Promise<ValidatorResult[]> {
    const { validatorMs, attemptMs, restMs } = this.limits;
    const until = Date.now() + attemptMs;
    const results: ValidatorResult[] = [];
    for (const [index, validator] of work.spec.validators.entries()) {
      const leftMs = Math.min(validatorMs, until - Date.now());
      try {
        if (leftMs <= 0) throw new ThreadOverrun('time');
        await bench.open(work, restMs);
        const onBug = (bug: GradingBug['bug']) => work.onBug(bug, validator.key);
        results.push(await bench.ask({ step: 'validate', index }, leftMs, onBug));
      } catch (error) {
        if (!(error instanceof ThreadOverrun)) throw error;
        results.push(overrunResult(validator));
      }
    }
    return results;
  }

  private async inTurn<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
    if (this.busy >= this.limits.threads) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.busy += 1;
    const bench = new Bench(
      () => this.idle.pop() ?? this.start(),
      (thread) => this.stop(thread),
    );
    try {
      return await work(bench);
    } finally {
      const left = bench.leave();
      if (left !== undefined) this.idle.push(left);
      const next = this.waiting.shift();
      if (next === undefined) this.busy -= 1;
      else next();
    }
  }

  private async stop(thread: TaskThread): Promise<void> {
    this.threads.delete(thread);
    await thread.stop();
  }

  private start(): TaskThread {
    const program = new URL(import.meta.resolve('#grading-thread'));
    const thread = new TaskThread(program, { memoryMib: this.limits.memoryMib });
    this.threads.add(thread);
    return thread;
  }
}

/** One thread at a time; the task after one that broke it gets another. */
class Bench {
  private thread: TaskThread | undefined;
  private isOpen = false;

  constructor(
    private readonly next: () => TaskThread,
    private readonly stop: (thread: TaskThread) => Promise<void>,
  ) {}

  /** Hands the attempt to the thread, unless that has it. */
  async open({ spec, evidence }: GradingWork, timeoutMs: number): Promise<void> {
    if (this.isOpen) return;
    await this.ask({ step: 'open', spec, evidence }, timeoutMs);
    this.isOpen = true;
  }

  async ask<T extends GradingTask>(
    task: T,
    timeoutMs: number,
    onBug?: (bug: GradingBug['bug']) => void,
  ): Promise<GradingAnswers[T['step']]> {
    const answer = await this.answerOf(task, timeoutMs);
    if ('bug' in answer) {
      if (answer.value === undefined) throw Object.assign(new Error(answer.bug.message), answer.bug);
      onBug?.(answer.bug);
    }
    return answer.value as GradingAnswers[T['step']];
  }

  leave(): TaskThread | undefined {
    return this.thread;
  }

  private async answerOf(task: GradingTask, timeoutMs: number): Promise<GradingAnswer> {
    this.thread ??= this.next();
    try {
      return (await this.thread.ask(task, timeoutMs)) as GradingAnswer;
    } catch (error) {
      await this.stop(this.thread);
      this.thread = undefined;
      this.isOpen = false;
      throw error;
    }
  }
}
