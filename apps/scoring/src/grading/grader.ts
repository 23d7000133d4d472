import type { EvaluationSpec } from '@agentclash/challengepack';
import {
  type AttemptEvidence,
  overrunResult,
  type ReplyReading,
  type ReplyRules,
  type ValidatorResult,
} from '@agentclash/grading';
import { TaskThread, ThreadOverrun } from '@agentclash/service-kit';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Asked, exceptionOf } from './asked.js';
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

const TOGETHER_MAX = 16;
const TOGETHER_MS = 250;

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
export class Grader implements OnApplicationShutdown {
  private readonly threads = new Set<TaskThread>();
  private readonly idle: TaskThread[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly line: Asked[] = [];
  /** How many attempts are graded at once, by what the last ones took. */
  private togetherMax = 1;
  private busy = 0;

  constructor(private readonly limits: GraderLimits) {}

  /** The attempt's scorecard. Fails with `ThreadOverrun` when all but the validators takes too much. */
  async grade(work: GradingWork): Promise<Graded> {
    const asked = new Asked(work);
    this.line.push(asked);
    // What comes in the same turn of the event loop is graded together.
    await new Promise((resolve) => setImmediate(resolve));
    await this.inTurn((bench) => this.gradeNext(bench));
    return await asked.graded;
  }

  /** What a judge's reply says; a reply that takes too much to read is no reply. */
  async readReply(rules: ReplyRules, reply: string, labels: readonly string[]): Promise<ReplyReading> {
    const task = { step: 'read_reply', rules, reply, labels } as const;
    return await this.inTurn((bench) => bench.ask(task, this.limits.restMs)).catch((error) => {
      if (!(error instanceof ThreadOverrun)) throw error;
      return { state: 'error', reason: 'unparsable', score: null, ranking: null };
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.stop()));
  }

  /** Grades those at the front of the line; nothing when others have graded them in their turn. */
  private async gradeNext(bench: Bench): Promise<void> {
    const together = this.takeTogether();
    const isDone = together.length > 1 && (await this.gradeAtOnce(bench, together));
    if (isDone) return;
    for (const asked of together) await asked.settle(() => this.gradeAlone(bench, asked));
  }

  /** Of one spec, so that it crosses to the thread once. */
  private takeTogether(): Asked[] {
    const spec = this.line[0]?.work.spec;
    const end = this.line.findIndex(({ work }) => work.spec !== spec);
    const alike = end < 0 ? this.line.length : end;
    return this.line.splice(0, Math.min(alike, this.togetherMax));
  }

  private async gradeAlone(bench: Bench, asked: Asked): Promise<Graded> {
    if (await this.gradeAtOnce(bench, [asked])) return await asked.graded;
    const { work } = asked;
    const validators = await this.validate(bench, work);
    await bench.open(work, this.limits.restMs);
    return await bench.ask({ step: 'compose', validators, input: work.input }, this.limits.restMs);
  }

  /**
   * In the time that a single validator may take, so that none of them can have taken longer; false when that was not
   * enough and it must be found out which one is to blame.
   */
  private async gradeAtOnce(bench: Bench, together: readonly Asked[]): Promise<boolean> {
    const leftMs = Math.min(this.limits.validatorMs, this.limits.attemptMs);
    const [first] = together;
    if (leftMs <= 0 || first === undefined) return false;
    const attempts = together.map(({ work: { evidence, input } }) => ({ evidence, input }));
    const startedAt = performance.now();
    try {
      const answers = await bench.ask({ step: 'grade', spec: first.work.spec, attempts }, leftMs);
      this.adapt(attempts.length, performance.now() - startedAt);
      for (const [index, asked] of together.entries()) asked.take(answers[index]);
      return true;
    } catch (error) {
      this.togetherMax = 1;
      if (error instanceof ThreadOverrun) return false;
      for (const asked of together) await asked.settle(() => Promise.reject(error));
      return true;
    }
  }

  /** Only what is quick goes together: whoever waits for the slowest of them does not wait long. */
  private adapt(count: number, tookMs: number): void {
    const inTime = Math.floor((count * TOGETHER_MS) / Math.max(1, tookMs));
    this.togetherMax = Math.min(TOGETHER_MAX, Math.max(1, inTime));
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
      if (answer.value === undefined) throw exceptionOf(answer);
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
      return (await this.thread.run(task, timeoutMs)) as GradingAnswer;
    } catch (error) {
      await this.stop(this.thread);
      this.thread = undefined;
      this.isOpen = false;
      throw error;
    }
  }
}
