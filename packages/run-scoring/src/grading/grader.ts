import type { EvaluationSpec } from '@agentclash/challengepack';
import {
  type AttemptEvidence,
  isApplicable,
  overrunResult,
  type ReplyReading,
  type ReplyRules,
  type ValidatorResult,
} from '@agentclash/grading';
import { TaskThread, ThreadOverrun } from '@agentclash/threads';
import type {
  Graded,
  GradedAttempt,
  GradingBug,
  GradingInput,
  GradingReplies,
  GradingReply,
  GradingSubject,
  GradingTask,
} from './grading-worker.js';

/** Times are CPU times of the threads, so that a busy machine changes no result. */
export interface GraderLimits {
  threads: number;
  memoryMib: number;
  validatorMs: number;
  /** All validators of an attempt together; at the limit the remaining ones do not run. */
  attemptMs: number;
  /** Work other than validators: the rest of the scorecard, or one judge's reply. */
  restMs: number;
}

/** Far above the times of ordinary evidence. */
export const GRADING_TIMES = {
  validatorMs: 5_000,
  attemptMs: 30_000,
  restMs: 10_000,
} as const satisfies Partial<GraderLimits>;

const BATCH_MAX = 16;
const BATCH_MS = 250;

interface GradingWork {
  spec: EvaluationSpec;
  evidence: AttemptEvidence;
  input: GradingInput;
  /** Called for an exception in a validator, which is a bug; its result is an `evaluator_error`. */
  onBug: (bug: GradingBug['bug'], validatorKey: string) => void;
}

/**
 * Grades in separate threads, so that no pattern, schema or text blocks the service: limited in time and memory, and
 * replaced after a crash. A validator that overruns is an error of its own; the others still count.
 */
export class Grader {
  private readonly threads = new Set<TaskThread>();
  private readonly idle: TaskThread[] = [];
  private readonly waitingForThread: (() => void)[] = [];
  private readonly queue: PendingGrading[] = [];
  /** Attempts of the next batch, by the duration of the last one. */
  private batchMax = 1;
  private busy = 0;
  private batches = 0;

  constructor(private readonly limits: GraderLimits) {}

  /** Starts a thread before there is an attempt: loading its program takes as long as grading hundreds of attempts. */
  warm(): void {
    if (this.threads.size === 0) this.idle.push(this.start());
  }

  /** Attempts that no thread has begun to grade. */
  get waiting(): number {
    return this.queue.length;
  }

  /** The attempt's scorecard. Fails with `ThreadOverrun` when work other than validators exceeds its limits. */
  async grade(work: GradingWork): Promise<Graded> {
    const pending = new PendingGrading(work);
    this.queue.push(pending);
    // Attempts of the same turn of the event loop form a batch, and so do the next ones of those that it ends together.
    setImmediate(() => void this.gradeQueue());
    return await pending.graded;
  }

  /** Parses a judge's reply. A reply that exceeds the limits is `unparsable`. */
  async readReply(rules: ReplyRules, reply: string, labels: readonly string[]): Promise<ReplyReading> {
    const task = { step: 'read_reply', rules, reply, labels } as const;
    return await this.withThread((thread) => thread.run(task, this.limits.restMs)).catch((error) => {
      if (!(error instanceof ThreadOverrun)) throw error;
      return { state: 'error', reason: 'unparsable', score: null, ranking: null };
    });
  }

  /** Stops its threads. */
  async stop(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.stop()));
  }

  /** Grades until the queue is empty, in each thread at most one batch at a time. Never rejects. */
  private async gradeQueue(): Promise<void> {
    if (this.batches >= this.limits.threads) return;
    this.batches += 1;
    while (this.queue.length > 0) await this.withThread((thread) => this.gradeNext(thread));
    this.batches -= 1;
  }

  /** Grades the first batch of the queue, which may be empty. Never rejects. */
  private async gradeNext(thread: GradingThread): Promise<void> {
    const batch = this.takeBatch();
    try {
      const isDone = batch.length > 1 && (await this.gradeBatch(thread, batch));
      if (isDone) return;
      for (const pending of batch) await pending.settle(() => this.gradeAlone(thread, pending));
    } catch (error) {
      for (const pending of batch) pending.fail(error);
    }
  }

  /** Attempts of one spec, so that it is sent to the thread once. */
  private takeBatch(): PendingGrading[] {
    const spec = this.queue[0]?.work.spec;
    const end = this.queue.findIndex(({ work }) => work.spec !== spec);
    const alike = end < 0 ? this.queue.length : end;
    return this.queue.splice(0, Math.min(alike, this.batchMax));
  }

  private async gradeAlone(thread: GradingThread, pending: PendingGrading): Promise<Graded> {
    if (await this.gradeBatch(thread, [pending])) return await pending.graded;
    const { work } = pending;
    const validators = await this.validate(thread, work);
    await thread.open(work, this.limits.restMs);
    return await thread.run({ step: 'compose', validators, input: work.input }, this.limits.restMs);
  }

  /**
   * Within the limit of a single validator, so that none of them can exceed it; false at the limit: the steps must then be
   * run one by one to find the slow validator.
   */
  private async gradeBatch(thread: GradingThread, batch: readonly PendingGrading[]): Promise<boolean> {
    const leftMs = Math.min(this.limits.validatorMs, this.limits.attemptMs);
    const [first] = batch;
    if (leftMs <= 0 || first === undefined) return false;
    const attempts = JSON.stringify(batch.map(({ work }) => subjectOf(work)));
    const startedAt = performance.now();
    try {
      const replies = await thread.run({ step: 'grade', spec: first.work.spec, attempts }, leftMs);
      this.adapt(batch.length, performance.now() - startedAt);
      for (const [index, pending] of batch.entries()) pending.take(replies[index]);
      return true;
    } catch (error) {
      this.batchMax = 1;
      if (error instanceof ThreadOverrun) return false;
      for (const pending of batch) await pending.settle(() => Promise.reject(error));
      return true;
    }
  }

  /** Adapts the batch size to the duration, so that an attempt waits at most `BATCH_MS` for the others of its batch. */
  private adapt(count: number, tookMs: number): void {
    const inTime = Math.floor((count * BATCH_MS) / Math.max(1, tookMs));
    this.batchMax = Math.min(BATCH_MAX, Math.max(1, inTime));
  }

  private async validate(thread: GradingThread, work: GradingWork): Promise<ValidatorResult[]> {
    const { validatorMs, attemptMs, restMs } = this.limits;
    const attemptEndMs = thread.usedMs + attemptMs;
    const results: ValidatorResult[] = [];
    for (const [index, validator] of work.spec.validators.entries()) {
      if (!isApplicable(validator, work.evidence)) continue;
      const leftMs = Math.min(validatorMs, attemptEndMs - thread.usedMs);
      try {
        if (leftMs <= 0) throw new ThreadOverrun('time');
        await thread.open(work, restMs);
        const onBug = (bug: GradingBug['bug']) => work.onBug(bug, validator.key);
        results.push(await thread.run({ step: 'validate', index }, leftMs, onBug));
      } catch (error) {
        if (!(error instanceof ThreadOverrun)) throw error;
        results.push(overrunResult(validator));
      }
    }
    return results;
  }

  private async withThread<T>(work: (thread: GradingThread) => Promise<T>): Promise<T> {
    if (this.busy >= this.limits.threads)
      await new Promise<void>((resolve) => this.waitingForThread.push(resolve));
    else this.busy += 1;
    const thread = new GradingThread(
      () => this.idle.pop() ?? this.start(),
      (thread) => this.stopThread(thread),
    );
    try {
      return await work(thread);
    } finally {
      const left = thread.release();
      if (left !== undefined) this.idle.push(left);
      const next = this.waitingForThread.shift();
      if (next === undefined) this.busy -= 1;
      else next();
    }
  }

  private async stopThread(thread: TaskThread): Promise<void> {
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

function subjectOf({ evidence, input }: GradingWork): GradingSubject {
  return { evidence, input };
}

/** One thread at a time; it is replaced after a crash. */
class GradingThread {
  private thread: TaskThread | undefined;
  private isOpen = false;
  /** CPU time of all tasks, in whichever thread. */
  usedMs = 0;

  constructor(
    private readonly next: () => TaskThread,
    private readonly stop: (thread: TaskThread) => Promise<void>,
  ) {}

  /** Sends the attempt to the thread, unless it has it. */
  async open({ spec, evidence }: GradingWork, limitMs: number): Promise<void> {
    if (this.isOpen) return;
    await this.run({ step: 'open', spec, evidence }, limitMs);
    this.isOpen = true;
  }

  async run<T extends GradingTask>(
    task: T,
    limitMs: number,
    onBug?: (bug: GradingBug['bug']) => void,
  ): Promise<GradingReplies[T['step']]> {
    const reply = await this.replyOf(task, limitMs);
    if ('bug' in reply) {
      if (reply.value === undefined) throw exceptionOf(reply);
      onBug?.(reply.bug);
    }
    return reply.value as GradingReplies[T['step']];
  }

  release(): TaskThread | undefined {
    return this.thread;
  }

  private async replyOf(task: GradingTask, limitMs: number): Promise<GradingReply> {
    const thread = this.thread ?? this.next();
    const usedBeforeMs = thread.usedMs;
    this.thread = thread;
    try {
      return (await thread.run(task, limitMs)) as GradingReply;
    } catch (error) {
      await this.stop(thread);
      this.thread = undefined;
      this.isOpen = false;
      throw error;
    } finally {
      this.usedMs += thread.usedMs - usedBeforeMs;
    }
  }
}

/** An attempt in the queue of the grader. */
class PendingGrading {
  readonly graded: Promise<Graded>;
  private resolve: (graded: Graded) => void = () => {};
  private reject: (error: unknown) => void = () => {};

  constructor(readonly work: GradingWork) {
    this.graded = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // The caller awaits it later: until then a rejection is not unhandled.
    this.graded.catch(() => {});
  }

  /** Settles with a thread's reply and reports the exceptions of validators. */
  take(reply: GradedAttempt | GradingBug | undefined): void {
    if (reply === undefined) this.reject(new RangeError('the grading thread left out an attempt'));
    else if ('bug' in reply) this.reject(exceptionOf(reply));
    else {
      for (const { validator, bug } of reply.bugs) this.work.onBug(bug, validator);
      this.resolve(reply.graded);
    }
  }

  async settle(grade: () => Promise<Graded>): Promise<void> {
    await grade().then(this.resolve, this.reject);
  }

  fail(error: unknown): void {
    this.reject(error);
  }
}

/** The exception as it was thrown in the thread. */
function exceptionOf({ bug }: GradingBug): Error {
  return Object.assign(new Error(bug.message), bug);
}
