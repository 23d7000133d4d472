import type { ParkedAttempt } from '@agentclash/engine';
import { Injectable } from '@nestjs/common';
import type { Holding } from '../leases/leases.loop.js';

/** A parked attempt in this executor; the orchestrator stores its conversation. */
export interface HeldAttempt {
  holding: Holding;
  runId: string;
  sandbox: ParkedAttempt['sandbox'];
  deadlineMs: number;
  /** On its way back to work, or to its end. */
  isResuming: boolean;
}

/** The parked attempts whose sandboxes this executor holds. */
@Injectable()
export class ParkedAttempts {
  private readonly held = new Map<string, HeldAttempt>();

  keep(attempt: Omit<HeldAttempt, 'isResuming'>): void {
    this.held.set(attempt.holding.attempt_id, { ...attempt, isResuming: false });
  }

  find(attemptId: string): HeldAttempt | undefined {
    return this.held.get(attemptId);
  }

  all(): HeldAttempt[] {
    return [...this.held.values()];
  }

  ofRun(runId: string): HeldAttempt[] {
    return this.all().filter((attempt) => attempt.runId === runId);
  }

  has(attempt: HeldAttempt): boolean {
    return this.held.get(attempt.holding.attempt_id) === attempt;
  }

  remove(attempt: HeldAttempt): void {
    if (this.has(attempt)) this.held.delete(attempt.holding.attempt_id);
  }
}
