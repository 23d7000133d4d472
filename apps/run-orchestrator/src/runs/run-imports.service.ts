import { createHash } from 'node:crypto';
import { Handles, type Serves } from '@agentclash/bus';
import {
  ContractError,
  type runImports as Imports,
  type In,
  OPEN_IMPORTS_MAX,
  type Out,
  type Run,
  runImports,
} from '@agentclash/contracts';
import { foldKeys, namedCases, refuse, sizeProblem } from '@agentclash/run-rules';
import { newId } from '@agentclash/service-kit';
import { RunScopes } from './admission/run-scope.source.js';
import { RunLifecycle } from './commands/run-lifecycle.js';
import { WorkspaceStorage } from './deletion/workspace-storage.service.js';
import { ImportedAttemptsService } from './imports/imported-attempts.service.js';
import { CasesSource } from './plans/cases.source.js';
import { VersionsSource } from './plans/versions.source.js';
import { RunsService } from './runs.service.js';
import { RunImportsStore } from './store/run-imports.store.js';
import { RunsStore } from './store/runs.store.js';

type Request = In<typeof Imports.begin>;

/** Runs whose attempts were run elsewhere ("bring your own runs"). */
@Handles(runImports)
export class RunImportsService implements Serves<typeof runImports> {
  constructor(
    private readonly runs: RunsService,
    private readonly store: RunsStore,
    private readonly imports: RunImportsStore,
    private readonly scopes: RunScopes,
    private readonly versions: VersionsSource,
    private readonly storage: WorkspaceStorage,
    private readonly lifecycle: RunLifecycle,
    private readonly attempts: ImportedAttemptsService,
    private readonly cases: CasesSource,
  ) {}

  async begin(message: Request): Promise<Run> {
    const { workspace_id } = message;
    const known = await this.imports.findByRequest(workspace_id, requestIdOf(message));
    const { requestId } = known;
    if (known.runId === undefined) await this.create(message, requestId);
    const run_id = known.runId ?? (await this.store.findByRequest(workspace_id, requestId));
    if (run_id === undefined) throw new Error('the imported run was neither written nor there before');
    await this.lifecycle.launch(run_id);
    return await this.runs.get({ workspace_id, run_id });
  }

  async add({ request, ...of }: In<typeof Imports.add>): Promise<Out<typeof Imports.add>> {
    const { id } = await this.runs.get(of);
    return await this.attempts.add(id, request.attempts);
  }

  async complete(of: In<typeof Imports.complete>): Promise<Run> {
    const { id } = await this.runs.get(of);
    await this.attempts.complete(id);
    return await this.runs.get(of);
  }

  private async create({ workspace_id, request, actor }: Request, requestId: string): Promise<void> {
    await this.storage.checkQuota(workspace_id);
    await this.checkOpenImports(workspace_id);
    const version = await this.scopes.runnableVersion(workspace_id, request.challenge_pack_version_id);
    const { manifest } = await this.versions.get(workspace_id, version.id);
    if (manifest.security !== undefined) throw refusedSecurityPack();
    const inputSet = await this.scopes.inputSet(workspace_id, version.id, request.challenge_input_set_id);
    const set = { workspaceId: workspace_id, versionId: version.id, inputSetKey: inputSet.key };
    const { keys, challenges } = await foldKeys(this.cases.keys(set));
    const { caseKeys, subset } = namedCases(keys, request.case_keys ?? keys);
    const { lanes, repetitions } = request;
    refuse(sizeProblem({ agents: lanes.length, cases: caseKeys.length, repetitions }));
    await this.store.create({
      id: newId(),
      requestId,
      workspaceId: workspace_id,
      name: request.name ?? null,
      versionId: version.id,
      evaluationSpecId: version.evaluation_spec_id,
      executionMode: manifest.version.execution_mode,
      pack: { slug: version.slug, name: version.name, version_number: version.version_number },
      inputSet: { id: inputSet.id, key: inputSet.key },
      isDraft: version.draft_expires_at !== undefined,
      repetitions,
      maxConcurrency: null,
      limits: {},
      raceStepGap: null,
      ...{ modelCalls: null, replayFrom: null, seed: null, stopWhen: null, raceBaseline: null },
      imported: { ...request.source, grading: request.grading },
      packModels: {},
      labels: request.labels ?? {},
      warnings: [],
      createdBy: actor,
      agents: lanes.map(({ name }) => ({
        id: newId(),
        snapshot: { kind: 'imported', deployment_id: laneId(workspace_id, name), revision: 1, name },
        prices: [],
      })),
      caseKeys,
      challenges,
      caseSubset: subset,
    });
  }

  private async checkOpenImports(workspaceId: string): Promise<void> {
    const open = await this.imports.findOpen(workspaceId, OPEN_IMPORTS_MAX);
    if (open.length < OPEN_IMPORTS_MAX) return;
    const message = `The workspace has ${OPEN_IMPORTS_MAX} imports that are not complete: ${open.join(', ')}. Import the file of one of them again to complete it, or end it by "agentclash run cancel RUN".`;
    throw new ContractError('conflict', message, { runs: open });
  }
}

function refusedSecurityPack(): ContractError {
  return new ContractError(
    'unsupported_capability',
    'The pack is a security pack: it is graded by what the sandbox observed, which no imported attempt has.',
  );
}

/** The same source for the same lanes and cases is the same run. */
function requestIdOf({ request }: Request): string {
  const { name: _name, labels: _labels, ...identity } = request;
  return `import:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}

/** A lane of the same name is the same deployment in every imported run of a workspace: a UUID of version 8. */
function laneId(workspaceId: string, name: string): string {
  const digits = createHash('sha256').update(`imported lane ${workspaceId} ${name}`).digest('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
