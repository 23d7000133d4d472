import { ContractError, type evidence, type In, type Out } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { AttemptRows } from '../attempts/attempt-rows.store.js';
import { AttemptsStore } from '../attempts/attempts.store.js';
import { HistoryService } from '../history/history.service.js';
import { storedCaseOf } from '../plans/pack-version.js';
import { SnapshotsStore } from '../plans/snapshots.store.js';
import { VersionsSource } from '../plans/versions.source.js';

@Injectable()
export class EvidenceService {
  constructor(
    private readonly attempts: AttemptsStore,
    private readonly history: HistoryService,
    private readonly versions: VersionsSource,
    private readonly pins: SnapshotsStore,
    private readonly rows: AttemptRows,
  ) {}

  /** All that scoring may know of a finished attempt. Fails with `conflict` while it is not finished. */
  async get({ workspace_id, attempt_id }: In<typeof evidence.get>): Promise<Out<typeof evidence.get>> {
    const context = await this.attempts.findContext(attempt_id);
    if (context?.workspaceId !== workspace_id) {
      throw new ContractError('not_found', `There is no attempt ${attempt_id}.`);
    }
    const { result } = context;
    if (!result) throw new ContractError('conflict', `The attempt ${attempt_id} is not finished.`);
    const { manifest } = await this.versions.get(workspace_id, context.versionId);
    const { packModels } = await this.pins.run(context.runId);
    return {
      workspace_id,
      run_id: context.runId,
      run_agent_id: context.runAgentId,
      attempt_id,
      delivery: context.delivery,
      case_key: context.caseKey,
      repetition: context.repetition,
      challenge_pack_version_id: context.versionId,
      evaluation_spec_id: context.evaluationSpecId,
      result,
      events: await this.history.evidence({ attemptId: attempt_id, delivery: context.delivery }),
      stored_case: storedCaseOf(manifest, context.inputSetKey, context.caseKey),
      pack_models: Object.fromEntries(
        Object.entries(packModels).map(([name, model]) => [name, { ...model }]),
      ),
    };
  }

  /** Who meets on one case and repetition; nobody in a run of another workspace. */
  async field(ask: In<typeof evidence.field>): Promise<Out<typeof evidence.field>['items']> {
    const { workspace_id: workspaceId, run_id: runId, case_key: caseKey, repetition } = ask;
    return await this.rows.field({ workspaceId, runId, caseKey, repetition });
  }
}
