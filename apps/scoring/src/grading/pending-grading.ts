import type { GradingWork } from './grader.js';
import type { Graded, GradedAttempt, GradingBug } from './grading-worker.js';

/** A scorecard that somebody waits for. */
export class PendingGrading {
  readonly graded: Promise<Graded>;
  private resolve: (graded: Graded) => void = () => {};
  private reject: (error: unknown) => void = () => {};

  constructor(readonly work: GradingWork) {
    this.graded = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Whoever asked hears of it when it has its turn, which may be later.
    this.graded.catch(() => {});
  }

  /** Takes a thread's answer; the exceptions of validators are told. */
  take(reply: GradedAttempt | GradingBug | undefined): void {
    if (reply === undefined) this.reject(new RangeError('an attempt was not answered'));
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

/** Our bug, as it was thrown in the thread. */
export function exceptionOf({ bug }: GradingBug): Error {
  return Object.assign(new Error(bug.message), bug);
}
