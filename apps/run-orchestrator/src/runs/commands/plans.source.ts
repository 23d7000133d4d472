import type { AttemptPlan, GraderPlan, LimitSettings } from '@agentclash/attempt-plan';
import { Injectable } from '@nestjs/common';
import { attemptPlan, graderPlan, type PlanSources } from '../plans/attempt-plan.js';
import { caseOf } from '../plans/pack-version.js';
import { VersionsSource } from '../plans/versions.source.js';
import type { AttemptContext } from '../store/attempts/attempt-reads.store.js';
import { HumanTurnsStore } from '../store/human-turns.store.js';
import { SnapshotsStore } from '../store/snapshots.store.js';

/** Plans of attempts, from what their run pinned. Fails with `unavailable` while the registry is unavailable. */
@Injectable()
export class PlansSource {
  constructor(
    private readonly versions: VersionsSource,
    private readonly snapshots: SnapshotsStore,
    private readonly humanTurns: HumanTurnsStore,
  ) {}

  /** The plan of one delivery, with the human turns of the attempt so far. */
  async of(context: AttemptContext, delivery: number): Promise<AttemptPlan> {
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

  async grader(context: AttemptContext): Promise<GraderPlan> {
    return graderPlan(context.id, await this.sources(context));
  }

  private async sources(context: AttemptContext): Promise<PlanSources> {
    const [version, agent, pins] = await Promise.all([
      this.versions.get(context.workspaceId, context.versionId),
      this.snapshots.agent(context.runAgentId),
      this.snapshots.run(context.runId),
    ]);
    return {
      version,
      case: caseOf(version.manifest, context.inputSetKey, context.caseKey),
      agent,
      pins,
      runLimits: context.limits as LimitSettings,
    };
  }
}
