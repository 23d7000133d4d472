import type { TrialResult } from './trial.js';

const SLOW_MS_MIN = 10_000;
/** A grading of an agent that takes so many times as long as the longest one of a solution most likely waits. */
const SLOW_FACTOR = 3;
/** Slow gradings beside the others, for each of these. Their time limits exclude the time for which they lack a CPU. */
const SLOW_PER_TRIAL = 2;

/**
 * A grading that hangs keeps its time limit, as a shorter one would decide about graders that are slow to give a point.
 * But it no longer keeps others waiting: they begin beside it.
 */
export class Pace {
  private slowAfterMs = Number.POSITIVE_INFINITY;
  private slow = 0;
  private readonly slowMax: number;

  /** `concurrency`: trials that are under way at once, beside slow ones. */
  constructor(concurrency: number) {
    this.slowMax = SLOW_PER_TRIAL * concurrency;
  }

  /** From the gradings of solutions. Until then none is slow. */
  learn(results: readonly TrialResult[]): void {
    const longest = Math.max(0, ...results.flatMap(({ evidence }) => evidence.events.map(gradingMs)));
    this.slowAfterMs = Math.max(SLOW_MS_MIN, SLOW_FACTOR * longest);
  }

  /** Calls `onSlow` once for a grading that begins now and becomes slow; returns what marks its end. */
  begin(onSlow: () => void): () => void {
    if (!Number.isFinite(this.slowAfterMs)) return () => {};
    let isSlow = false;
    const timer = setTimeout(() => {
      if (this.slow >= this.slowMax) return;
      this.slow++;
      isSlow = true;
      onSlow();
    }, this.slowAfterMs);
    return () => {
      clearTimeout(timer);
      if (isSlow) this.slow--;
      isSlow = false;
    };
  }
}

type Recorded = TrialResult['evidence']['events'][number];

const GRADINGS: ReadonlySet<string> = new Set([
  'grader.verification.code_executed',
  'grader.verification.script_executed',
]);

function gradingMs({ event_type, payload }: Recorded): number {
  return GRADINGS.has(event_type) && typeof payload.duration_ms === 'number' ? payload.duration_ms : 0;
}

/** True where a grader ran into its time limit, or into the longest extension of it, and the attempt did not pass. */
export function hasHung({ points, error, evidence }: TrialResult): boolean {
  if (error?.code === 'cpu_starved') return true;
  const isEnded = ({ event_type, payload }: Recorded) =>
    GRADINGS.has(event_type) && payload.timed_out === true;
  return points?.passed !== true && evidence.events.some(isEnded);
}
