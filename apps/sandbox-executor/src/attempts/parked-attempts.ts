import type { ParkedAttempt } from '@agentclash/engine';
import { Injectable } from '@nestjs/common';
import type { Holding } from './leases.loop.js';

/** A parked attempt in this executor; the orchestrator stores its conversation. */
export interface KeptAttempt {
  holding: Holding;
  runId: string;
  sandbox: ParkedAttempt['sandbox'];
  deadlineMs: number;
  /** On its way back to work, or to its end. */
  isLeaving: boolean;
}

/** The parked attempts whose sandboxes this executor holds. */
@Injectable()
export class ParkedAttempts {
  private readonly kept = new Map<string, KeptAttempt>();

  keep(attempt: Omit<KeptAttempt, 'isLeaving'>): void {
    this.kept.set(attempt.holding.attempt_id, { ...attempt, isLeaving: false });
  }

  find(attemptId: string): KeptAttempt | undefined {
    return this.kept.get(attemptId);
  }

  all(): KeptAttempt[] {
    return [...this.kept.values()];
  }

  ofRun(runId: string): KeptAttempt[] {
    return this.all().filter((attempt) => attempt.runId === runId);
  }

  has(attempt: KeptAttempt): boolean {
    return this.kept.get(attempt.holding.attempt_id) === attempt;
  }

  remove(attempt: KeptAttempt): void {
    if (this.has(attempt)) this.kept.delete(attempt.holding.attempt_id);
  }
}
