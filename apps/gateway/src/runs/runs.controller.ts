import { Readable } from 'node:stream';
import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import {
  ContractError,
  evalPlans,
  POSITION_MAX,
  readingNotes,
  runImports,
  runs,
  scorecards,
} from '@agentclash/contracts';
import { EXPORT_MEDIA_TYPES } from '@agentclash/exports';
import type { FastifyRequest } from 'fastify';
import { type Forwards, forward, scope, scopeAndActor, scopeAndRequest } from '../http/forward.js';
import type { RouteRequest } from '../http/route-request.js';
import { RouteResponse } from '../http/route-response.js';
import { controllerOf, ServesRoutes, type Serving } from '../http/serves-routes.js';
import { jsonLines, serverSentEvents } from './event-text.js';
import { OpenStreams } from './open-streams.js';
import { RunEvents } from './run-events.js';
import { exportFileName, RunExports, streamed } from './run-exports.js';
import { scoredAttempts } from './scored-attempts.js';

type Routes = typeof routes.runs;

const FORWARDS = {
  create: forward(runs.create, ({ workspace, caller, body }) => ({
    workspace_id: workspace.id,
    request: { ...body, deployment_ids: body.deployment_ids ?? [] },
    actor: caller.name,
  })),
  list: forward(runs.list, scope),
  trends: forward(runs.trends, scope),
  search: forward(runs.search, scope),
  findIds: forward(runs.findIds, scope),
  get: forward(runs.get, scope),
  edit: forward(runs.edit, scopeAndRequest),
  agents: forward(runs.agents, scope),
  attempts: forward(runs.attempts, scope),
  cancel: forward(runs.cancel, scopeAndActor),
  pause: forward(runs.pause, scopeAndActor),
  resume: forward(runs.resume, scopeAndActor),
  retry: forward(runs.retry, scopeAndRequest),
  beginImport: forward(runImports.begin, scopeAndRequest),
  addImported: forward(runImports.add, scopeAndRequest),
  completeImport: forward(runImports.complete, scopeAndActor),
  rescore: forward(scorecards.rescore, (request) => ({ ...scopeAndActor(request), ...request.body })),
  remove: forward(runs.remove, scopeAndActor),
} satisfies Forwards<Routes>;

@ServesRoutes(routes.runs, FORWARDS)
export class RunsController implements Serving<Routes, typeof FORWARDS> {
  constructor(
    private readonly bus: Bus,
    private readonly history: RunEvents,
    private readonly streams: OpenStreams,
    private readonly exports: RunExports,
  ) {}

  async scorecards(request: RouteRequest<Routes['scorecards']>) {
    return await scoredAttempts(this.bus, scope(request));
  }

  async export({ http, query, caller, workspace, params }: RouteRequest<Routes['export']>) {
    const { format, lane } = query;
    const run = { workspace_id: workspace.id, run_id: params.run_id };
    const content = await this.exports.open({ ...run, format, lane });
    const { signal, close } = this.streams.open(caller, http);
    const headers = {
      'content-type': EXPORT_MEDIA_TYPES[format],
      'content-disposition': `attachment; filename="${exportFileName(params.run_id, format)}"`,
    };
    return new RouteResponse(Readable.from(streamed(content, { signal, close })), { headers });
  }

  /** The orchestrator supplies the existence of the run and the notes on how to read its ranking. */
  async ranking(request: RouteRequest<Routes['ranking']>) {
    const [ranking, run] = await Promise.all([
      this.bus.call(scorecards.ranking, scope(request)),
      this.bus.call(runs.get, scope(request)),
    ]);
    return { ...ranking, ...readingNotes(run) };
  }

  /** Fails with `not_found` for a run that does not exist, of which scoring lists no failures either. */
  async failures(request: RouteRequest<Routes['failures']>) {
    const query = scope(request);
    const page = await this.bus.call(scorecards.failures, query);
    const { workspace_id, run_id } = query;
    if (page.items.length === 0) await this.bus.call(runs.get, { workspace_id, run_id });
    return page;
  }

  async events(request: RouteRequest<Routes['events']>) {
    const { http, query, caller, workspace, params } = request;
    const run = { workspace_id: workspace.id, run_id: params.run_id };
    const from = { ...run, after: startPosition(http, query.after) };
    const first = await this.history.read(from);
    if (query.format === 'ndjson') {
      const lines = Readable.from(jsonLines(this.history.recorded(from, first)));
      return new RouteResponse(lines, { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } });
    }
    // To a client of server-sent events, 204 means: do not reconnect.
    if (first.is_end && first.items.length === 0) return new RouteResponse(undefined, { status: 204 });
    const { signal, close } = this.streams.open(caller, http);
    const events = serverSentEvents(this.history.live(from, first, { signal, deltas: query.deltas }), close);
    return new RouteResponse(Readable.from(events), { headers: STREAM_HEADERS });
  }
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Proxies must not buffer events.
  'x-accel-buffering': 'no',
};

/** The position after which a stream resumes: `Last-Event-ID`, else `after`. Fails with `invalid_input`. */
function startPosition({ headers }: FastifyRequest, after: number): number {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return after;
  if (typeof id === 'string' && /^\d{1,10}$/.test(id) && Number(id) <= POSITION_MAX) return Number(id);
  throw new ContractError('invalid_input', 'Last-Event-ID is not one of this stream.', {
    errors: [
      { code: 'malformed', field: 'Last-Event-ID', message: 'must be the id of an event of this run' },
    ],
  });
}

export const EvalPlansController = controllerOf(routes.evalPlans, {
  make: forward(evalPlans.make, ({ workspace, body }) => ({
    workspace_id: workspace.id,
    request: { ...body, deployment_ids: body.deployment_ids ?? [] },
  })),
});

type AgentRoutes = typeof routes.runAgents;

@ServesRoutes(routes.runAgents)
export class RunAgentsController implements Serving<AgentRoutes> {
  constructor(private readonly bus: Bus) {}

  /** The orchestrator supplies the existence of the run agent, which scoring reports as pending, and its variant. */
  async scorecard(request: RouteRequest<AgentRoutes['scorecard']>) {
    const [reply, { variant }] = await Promise.all([
      this.bus.call(scorecards.runAgent, scope(request)),
      this.bus.call(runs.agent, scope(request)),
    ]);
    return { ...reply, ...(variant && { variant }) };
  }
}
