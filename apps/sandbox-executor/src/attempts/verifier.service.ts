import { Bus } from '@agentclash/bus';
import { leases } from '@agentclash/contracts';
import {
  type AttemptHistory,
  type AttemptPlan,
  type AttemptResult,
  needsVerifier,
  received,
  verifyAttempt,
} from '@agentclash/engine';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { AttemptMeans } from './attempt-means.js';
import { type Holding, LEASE_PATIENCE_MS } from './leases.loop.js';
import { patiently } from './patiently.js';

/** A verifier that fails is tried once more, alone: never by running the agent again. */
const TRIES = 2;

export interface Verifying {
  plan: AttemptPlan;
  holding: Holding;
  history: AttemptHistory;
  result: AttemptResult;
  ports: AttemptMeans['ports'];
  signal: AbortSignal;
}

/** Looks at what an agent left behind. */
@Injectable()
export class Verifier {
  constructor(
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Grades nothing itself: what it finds in the workspace becomes events. Answers are asked for only now. Returns
   * whether nothing is left to look at: not so when the work was aborted before.
   */
  async verify({ plan, holding, history, result, ports, signal }: Verifying): Promise<boolean> {
    const { snapshot } = result;
    if (snapshot === null || plan.is_unverified) return true;
    if (signal.aborted) return false;
    const ask = () => this.bus.call(leases.grader, holding);
    const reply = await patiently(ask, LEASE_PATIENCE_MS, () => !signal.aborted);
    const grader = received('agentclash.grader-plan/1', reply.plan);
    if (!needsVerifier(grader)) return true;
    for (let tries = 1; tries <= TRIES; tries++) {
      const verification = await verifyAttempt({
        plan: grader,
        runId: plan.run_id,
        snapshot,
        history,
        signal,
        ...ports,
      });
      if (verification.status === 'verified') return true;
      if (signal.aborted) return false;
      this.logger.warn({ attempt: plan.attempt_id, code: verification.code, tries }, 'the verifier failed');
    }
    return true;
  }
}
