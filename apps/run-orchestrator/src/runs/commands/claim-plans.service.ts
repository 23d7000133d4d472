import type { AttemptPlan } from '@agentclash/attempt-plan';
import { ContractError } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Executors } from '../executors/executors.service.js';
import { needsOfPlan } from '../executors/fleet.js';
import type { Warning } from '../state/admission-problem.js';
import type { AttemptContext } from '../store/attempts/attempt-reads.store.js';
import { PlansSource } from './plans.source.js';

/** What a claim comes to: work, an attempt that cannot be run by anyone, or one for another executor. */
export type ClaimPlan =
  | { kind: 'work'; plan: AttemptPlan; warning?: Warning }
  | { kind: 'impossible'; code: 'plan_failed' | 'unsupported_capability'; message: string }
  | { kind: 'for_another' };

/** Plans the next delivery of an attempt for the claiming executor. */
@Injectable()
export class ClaimPlans {
  constructor(
    private readonly plans: PlansSource,
    private readonly executors: Executors,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Fails with `unavailable` while the registry is unavailable. */
  async of(context: AttemptContext, executorId: string): Promise<ClaimPlan> {
    const plan = await this.plan(context);
    if (!plan) {
      const message = 'The attempt could not be prepared on our side.';
      return { kind: 'impossible', code: 'plan_failed', message };
    }
    const fit = await this.executors.fit(executorId, needsOfPlan(plan));
    if (fit.fits) return { kind: 'work', plan, ...(fit.warning && { warning: fit.warning }) };
    const { lack, noneCan } = fit;
    this.logger.warn(
      { attempt_id: context.id, executor_id: executorId, lack },
      'executor lacks a capability',
    );
    if (!noneCan) return { kind: 'for_another' };
    return { kind: 'impossible', code: 'unsupported_capability', message: noneCan.message };
  }

  /** Undefined when the attempt can never be planned: an infrastructure error, not the agent's. */
  private async plan(context: AttemptContext): Promise<AttemptPlan | undefined> {
    try {
      return await this.plans.of(context, context.delivery + 1);
    } catch (error) {
      if (error instanceof ContractError && error.isRetryable) throw error;
      this.logger.error({ err: error, attempt_id: context.id }, 'planning of an attempt failed');
      return undefined;
    }
  }
}
