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

  /** Grades nothing itself: what it finds in the workspace becomes events. Answers are asked for only now. */
  async verify({ plan, holding, history, result, ports, signal }: Verifying): Promise<void> {
    const { snapshot } = result;
    if (snapshot === null || plan.is_unverified || signal.aborted) return;
    const ask = () => this.bus.call(leases.grader, holding);
    const reply = await patiently(ask, LEASE_PATIENCE_MS, () => !signal.aborted);
    const grader = received('agentclash.grader-plan/1', reply.plan);
    if (!needsVerifier(grader)) return;
    for (let tries = 1; tries <= TRIES; tries++) {
      const verification = await verifyAttempt({
        plan: grader,
        runId: plan.run_id,
        snapshot,
        history,
        signal,
        ...ports,
      });
      if (verification.status === 'verified' || signal.aborted) return;
      this.logger.warn({ attempt: plan.attempt_id, code: verification.code, tries }, 'the verifier failed');
    }
  }
}
