import type { AuditCheck, CheckSummary, Finding } from '../report/report.js';

/** The texts of the finding about an audit that was broken off. */
export interface InterruptionTexts {
  /** The predicate of the sentence about the audit. */
  cause: string;
  /** The next step. */
  fix: string;
}

const BY_USER: InterruptionTexts = {
  cause: 'was interrupted',
  fix: 'Run the audit again to its end, with `--quick` where there is little time.',
};

/** The checks of an audit that may be broken off, and then reports what they found until then. */
export class Interruption {
  private first: AuditCheck | undefined;

  constructor(
    private readonly signal: AbortSignal,
    /** False: a signal that is aborted for this reason rejects the audit. */
    private readonly isReported: (reason: unknown) => boolean,
    private readonly texts: InterruptionTexts = BY_USER,
  ) {}

  get happened(): boolean {
    return this.signal.aborted && this.isReported(this.signal.reason);
  }

  /** Undefined in place of what was broken off, or had not begun. */
  async unless<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.happened) return undefined;
    try {
      return await work();
    } catch (error) {
      if (!this.happened) throw error;
      return undefined;
    }
  }

  /** A check that had not ended is incomplete, with what it has found. `none`: one that has not begun. */
  async during<O extends { summary: CheckSummary; findings: Finding[] }>(
    check: AuditCheck,
    none: O,
    work: () => Promise<O>,
  ): Promise<O> {
    const outcome = this.happened ? none : await work();
    if (!this.happened) return outcome;
    this.first ??= check;
    return { ...outcome, summary: interrupted(outcome.summary) };
  }

  /** The finding that leaves the audit incomplete. */
  findings(): Finding[] {
    if (this.first === undefined) return [];
    return [
      {
        ...{ check: this.first, code: 'audit_interrupted', severity: 'missing' },
        message: `The audit ${this.texts.cause}: of \`${this.first}\` and the checks after it there is only what was found until then.`,
        fix: this.texts.fix,
      },
    ];
  }
}

function interrupted<S extends CheckSummary>(summary: S): S {
  const text = summary.trials === 0 ? 'interrupted; no trial has ended' : `interrupted: ${summary.summary}`;
  const state = summary.state === 'failed' ? 'failed' : 'incomplete';
  return { ...summary, state, summary: text };
}
