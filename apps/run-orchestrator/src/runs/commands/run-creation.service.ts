import { Bus } from '@agentclash/bus';
import { type In, type runs, vault } from '@agentclash/contracts';
import { pinnedPrices, requestWarnings, type SecretNeeds } from '@agentclash/run-rules';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { unboundWarnings } from '../../catalogue/resources/unbound-secrets.source.js';
import { RunAdmission } from '../admission/candidate-agents.js';
import { RunRaces } from '../admission/race-settings.source.js';
import { modelCallWarnings, RunRecordings } from '../admission/run-recording.source.js';
import { RunScopes } from '../admission/run-scope.source.js';
import { WorkspaceStorage } from '../deletion/workspace-storage.service.js';
import { callLimitsOf } from '../state/call-budget.js';
import { type NewRunAgent, RunsStore } from '../store/runs.store.js';
import { RunLifecycle } from './run-lifecycle.js';

type CreateRequest = In<typeof runs.create>;

/** Steps between two messages about the peers when the request names no number. */
const RACE_STEP_GAP = 3;

/** Creates runs: everything is checked before anything is written. */
@Injectable()
export class RunCreation {
  constructor(
    private readonly store: RunsStore,
    private readonly scopes: RunScopes,
    private readonly admission: RunAdmission,
    private readonly recordings: RunRecordings,
    private readonly races: RunRaces,
    private readonly bus: Bus,
  ) {}

  /** Returns the id of the run that now exists: of the one that was made for the request before, if there is one. */
  async create(request: CreateRequest): Promise<string> {
    const known = await this.made(request);
    if (known !== undefined) return known;
    const id = newId();
    const refused = await this.admit(id, request).then(
      (isWritten) =>
        isWritten ? undefined : new Error(`the run ${id} was neither written nor there before`),
      (error: unknown) => error,
    );
    if (refused === undefined) return id;
    // Another delivery of the request may have made the run meanwhile, of what there was then.
    const other = await this.made(request);
    if (other === undefined) throw refused;
    return other;
  }

  /** The run that was made for the same request before. */
  async made({ workspace_id, request_id }: CreateRequest): Promise<string | undefined> {
    return request_id === undefined ? undefined : await this.store.findByRequest(workspace_id, request_id);
  }

  /** True when the run was written; not when another was faster with the same request. */
  private async admit(
    id: string,
    { workspace_id, request, actor, request_id }: CreateRequest,
  ): Promise<boolean> {
    const scope = await this.scopes.read(workspace_id, request);
    const { version, view, inputSet, candidates, caseKeys, set, subset } = scope;
    const { manifest } = view;
    const agents = candidates.agents.map((snapshot) => {
      return { id: newId(), snapshot, prices: pinnedPrices(snapshot, view.spec.pricing) };
    });
    const race = await this.races.choose(request, {
      workspaceId: workspace_id,
      versionId: version.id,
      evaluationSpecId: version.evaluation_spec_id,
      inputSetId: inputSet.id,
      spec: view.spec,
      lanes: agents.length,
      caseKeys,
    });
    const modelCalls = await this.recordings.choose(request, {
      workspaceId: workspace_id,
      packSlug: version.slug,
      hasPerson: set.withPerson.size > 0,
      agents: candidates.agents,
      caseKeys,
    });
    const admitted = await this.admission.admit(candidates, {
      view,
      inputSetKey: inputSet.key,
      phases: set.phases,
      runLimits: request.limits ?? {},
      ...(race.stopWhen?.budget !== undefined &&
        callLimitsOf(race.stopWhen) !== undefined &&
        modelCalls.modelCalls !== 'replay' && { callBudget: race.stopWhen.budget }),
    });
    const unbound = await this.grantSecrets({ workspace_id, run_id: id }, admitted.secrets, agents);
    return await this.store.create({
      id,
      requestId: request_id ?? null,
      workspaceId: workspace_id,
      name: request.name ?? null,
      versionId: version.id,
      evaluationSpecId: version.evaluation_spec_id,
      executionMode: manifest.version.execution_mode,
      pack: { slug: version.slug, name: version.name, version_number: version.version_number },
      inputSet: { id: inputSet.id, key: inputSet.key },
      isDraft: version.draft_expires_at !== undefined,
      repetitions: request.repetitions,
      maxConcurrency: request.max_concurrency ?? null,
      limits: request.limits ?? {},
      raceStepGap: request.race_context ? (request.race_context_min_step_gap ?? RACE_STEP_GAP) : null,
      ...modelCalls,
      packModels: admitted.packModels,
      labels: request.labels ?? {},
      warnings: [
        ...admitted.warnings,
        ...requestWarnings(request, manifest, candidates.agents),
        ...modelCallWarnings(modelCalls, candidates.agents),
        ...unboundWarnings(unbound),
      ],
      createdBy: actor,
      agents,
      ...race,
      challenges: set.challenges,
      caseSubset: subset,
    });
  }

  /** Those that are bound to nothing. Fails with `missing_secret` and `secret_too_short`. */
  private async grantSecrets(
    run: { workspace_id: string; run_id: string },
    secrets: SecretNeeds,
    runAgents: readonly NewRunAgent[],
  ): Promise<readonly string[]> {
    const agents = runAgents.map(({ id }, index) => ({
      run_agent_id: id,
      keys: secrets.agents[index] ?? [],
    }));
    const { everyone: keys, judges } = secrets;
    if ([keys, judges, ...secrets.agents].every((needed) => needed.length === 0)) return [];
    const { unbound = [] } = await this.bus.call(vault.grant, { ...run, keys, agents, judges });
    return unbound;
  }
}

/** Creates and launches runs, unless the workspace's evidence quota is used up. */
@Injectable()
export class RunStarter {
  constructor(
    private readonly creation: RunCreation,
    private readonly storage: WorkspaceStorage,
    private readonly lifecycle: RunLifecycle,
  ) {}

  /** The id of the run: of the one that was made for the request before, if there is one. */
  async start(request: In<typeof runs.create>): Promise<string> {
    const isNew = (await this.creation.made(request)) === undefined;
    if (isNew) await this.storage.checkQuota(request.workspace_id);
    const id = await this.creation.create(request);
    await this.lifecycle.launch(id);
    return id;
  }
}
