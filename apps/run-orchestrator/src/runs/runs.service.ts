import { ContractError, type In, type Out, type Run, type RunAgent, type runs } from '@agentclash/contracts';
import { decodeIdCursor, decodePositionCursor, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { RunStarter } from './commands/run-creation.service.js';
import { HistoryService } from './queries/history.service.js';
import { TranscriptSearch } from './queries/transcript-search.service.js';
import { AttemptReads } from './store/attempts/attempt-reads.store.js';
import { RunTrendsStore } from './store/run-trends.store.js';
import { RunsStore } from './store/runs.store.js';

@Injectable()
export class RunsService {
  constructor(
    private readonly store: RunsStore,
    private readonly starts: RunStarter,
    private readonly attemptRows: AttemptReads,
    private readonly history: HistoryService,
    private readonly transcripts: TranscriptSearch,
    private readonly runTrends: RunTrendsStore,
  ) {}

  async create(request: In<typeof runs.create>): Promise<Run> {
    const run_id = await this.starts.start(request);
    return await this.get({ workspace_id: request.workspace_id, run_id });
  }

  /** Newest first. */
  async list(request: In<typeof runs.list>): Promise<Out<typeof runs.list>> {
    const { workspace_id: workspaceId, status, pack, label, q, limit, cursor } = request;
    const deployment = request.deployment ?? request.deployment_id;
    const modelCalls = request.model_calls;
    const filters = { workspaceId, status, pack, deployment, label, modelCalls, q };
    const found = await this.store.list({ ...filters, after: decodeIdCursor(cursor), take: limit + 1 });
    return pageOf(found, limit, { item: (run) => run, sortKey: ({ id }) => id });
  }

  /** Newest first. */
  async trends(request: In<typeof runs.trends>): Promise<Out<typeof runs.trends>> {
    const { workspace_id: workspaceId, pack, deployment, limit, cursor } = request;
    const after = decodeIdCursor(cursor);
    const found = await this.runTrends.list({ workspaceId, pack, deployment, after, take: limit + 1 });
    return pageOf(found, limit, { item: (trend) => trend, sortKey: ({ id }) => id });
  }

  async findIds(request: In<typeof runs.findIds>): Promise<Out<typeof runs.findIds>> {
    return await this.attemptRows.findIds(request);
  }

  async get({ workspace_id, run_id }: In<typeof runs.get>): Promise<Run> {
    return (await this.store.find(workspace_id, run_id)) ?? noSuchRun(run_id);
  }

  async agent({ workspace_id, run_agent_id }: In<typeof runs.agent>): Promise<RunAgent> {
    const agent = await this.store.findAgent(workspace_id, run_agent_id);
    if (agent) return agent;
    throw new ContractError('not_found', `There is no run agent ${run_agent_id}.`);
  }

  async agents({ workspace_id, run_id }: In<typeof runs.agents>): Promise<Out<typeof runs.agents>> {
    return (await this.store.findAgents(workspace_id, run_id)) ?? noSuchRun(run_id);
  }

  /** In the order of work. */
  async attempts(request: In<typeof runs.attempts>): Promise<Out<typeof runs.attempts>> {
    const {
      workspace_id,
      run_id: runId,
      run_agent_id: runAgentId,
      case_key: caseKey,
      q: casePart,
      state,
      outcome,
      limit,
      cursor,
    } = request;
    if ((await this.store.findPosition(workspace_id, runId)) === null) noSuchRun(runId);
    const after = decodePositionCursor(cursor);
    const found = await this.attemptRows.list({
      runId,
      runAgentId,
      caseKey,
      casePart,
      state,
      outcome,
      after,
      take: limit + 1,
    });
    return pageOf(found, limit, {
      item: ({ attempt }) => attempt,
      sortKey: ({ ordinal }) => String(ordinal),
    });
  }

  async search(request: In<typeof runs.search>): Promise<Out<typeof runs.search>> {
    const { workspace_id, run_id } = request;
    const { eventPosition } = (await this.store.findPosition(workspace_id, run_id)) ?? noSuchRun(run_id);
    return await this.transcripts.search(request, eventPosition);
  }

  async events({
    workspace_id,
    run_id,
    after,
    limit,
  }: In<typeof runs.events>): Promise<Out<typeof runs.events>> {
    // Read first: events that come later belong to a later page.
    const end = (await this.store.findPosition(workspace_id, run_id)) ?? noSuchRun(run_id);
    const items = await this.history.ofRun(run_id, after, limit);
    const last = items.at(-1)?.position ?? after;
    return { items, is_end: end.finishedAt !== null && last >= end.eventPosition };
  }
}

function noSuchRun(id: string): never {
  throw new ContractError('not_found', `There is no run ${id}.`);
}
