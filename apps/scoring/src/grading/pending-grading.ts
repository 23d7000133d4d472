import type { GradingWork } from './grader.js';
import type { Graded, GradedAttempt, GradingBug } from './grading-worker.js';

/** An attempt in the queue of the grader. */
export class PendingGrading {
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
}

/** The exception as it was thrown in the thread. */
export function exceptionOf({ bug }: GradingBug): Error {
  return Object.assign(new Error(bug.message), bug);
}
