import type { AttemptPlan, GraderPlan, LimitSettings } from '@agentclash/attempt-plan';
import { ContractError } from '@agentclash/contracts';
import { attemptPlan, graderPlan, needsOfPlan, type PlanSources, type Warning } from '@agentclash/run-rules';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { FleetChecks } from '../executors/fleet-checks.js';
import { CasesSource, type CaseView } from '../plans/cases.source.js';
import { VersionsSource } from '../plans/versions.source.js';
import { AttemptReads, type PlannableAttempt } from '../store/attempts/attempt-reads.store.js';
import { HumanTurnsStore } from '../store/human-turns.store.js';
import { SnapshotsStore } from '../store/snapshots.store.js';

/** Plans of attempts, from what their run pinned. Fails with `unavailable` while the registry is unavailable. */
@Injectable()
export class PlansSource {
  constructor(
    private readonly versions: VersionsSource,
    private readonly cases: CasesSource,
    private readonly attempts: AttemptReads,
    private readonly snapshots: SnapshotsStore,
    private readonly humanTurns: HumanTurnsStore,
  ) {}

  /** The plan of one delivery, with the human turns of the attempt so far. */
  async of(context: PlannableAttempt, delivery: number): Promise<AttemptPlan> {
    const identity = {
      workspace_id: context.workspaceId,
      run_id: context.runId,
      run_agent_id: context.runAgentId,
      attempt_id: context.id,
      delivery,
      repetition: context.repetition,
    };
    const plan = attemptPlan(identity, await this.sources(context));
    if (!plan.conversation) return plan;
    const turns = await this.humanTurns.ofAttempt(context.id);
    const human_turns = turns.map(({ phaseId: phase_id, turnIndex: turn_index, message }) => {
      return { phase_id, turn_index, message };
    });
    return { ...plan, conversation: { ...plan.conversation, human_turns } };
  }

  async grader(context: PlannableAttempt): Promise<GraderPlan> {
    return graderPlan(context.id, await this.sources(context));
  }

  /** Reads the cases of attempts together. Their plans report what fails. */
  async prepare(contexts: readonly PlannableAttempt[]): Promise<void> {
    await Promise.allSettled(contexts.map((context) => this.case(context)));
  }

  private async case(context: PlannableAttempt): Promise<CaseView> {
    return await this.cases.get(context, context.caseKey, () => this.attempts.casesAfter(context));
  }

  private async sources(context: PlannableAttempt): Promise<PlanSources> {
    const [version, view, agent, pins] = await Promise.all([
      this.versions.get(context.workspaceId, context.versionId),
      this.case(context),
      this.snapshots.agent(context.runAgentId),
      this.snapshots.run(context.runId),
    ]);
    return {
      version,
      case: view,
      agent,
      pins,
      runLimits: context.limits as LimitSettings,
    };
  }
}

/** The result of a claim: work, an attempt that cannot be run by anyone, or one for another executor. */
export type ClaimPlan =
  | { kind: 'work'; plan: AttemptPlan; warning?: Warning }
  | { kind: 'impossible'; code: 'plan_failed' | 'unsupported_capability'; message: string }
  | { kind: 'for_another' };

/** Plans the next delivery of an attempt for the claiming executor. */
@Injectable()
export class ClaimPlans {
  constructor(
    private readonly plans: PlansSource,
    private readonly fleet: FleetChecks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Reads what the plans of these attempts need, together. */
  async prepare(contexts: readonly PlannableAttempt[]): Promise<void> {
    await this.plans.prepare(contexts);
  }

  /** Fails with `unavailable` while the registry is unavailable. */
  async of(context: PlannableAttempt, executorId: string): Promise<ClaimPlan> {
    const plan = await this.plan(context);
    if (!plan) {
      const message = 'The attempt could not be prepared on our side.';
      return { kind: 'impossible', code: 'plan_failed', message };
    }
    const fit = await this.fleet.fit(executorId, needsOfPlan(plan));
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
  private async plan(context: PlannableAttempt): Promise<AttemptPlan | undefined> {
    try {
      return await this.plans.of(context, context.delivery + 1);
    } catch (error) {
      if (error instanceof ContractError && error.isRetryable) throw error;
      this.logger.error({ err: error, attempt_id: context.id }, 'planning of an attempt failed');
      return undefined;
    }
  }
}
