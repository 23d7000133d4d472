import { Readable } from 'node:stream';
import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { readingNotes, runs, scorecards } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { RouteResponse } from '../http/route-response.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { jsonLines, serverSentEvents } from './event-text.js';
import { startOf } from './last-event-id.js';
import { OpenStreams } from './open-streams.js';
import { RunEvents } from './run-events.js';

type Routes = typeof routes.runs;

@ServesRoutes(routes.runs)
export class RunsController implements Serving<Routes> {
  constructor(
    private readonly bus: Bus,
    private readonly history: RunEvents,
    private readonly streams: OpenStreams,
  ) {}

  create({ workspace, caller, body }: RouteRequest<Routes['create']>) {
    const request = { ...body, deployment_ids: body.deployment_ids ?? [] };
    return this.bus.call(runs.create, { workspace_id: workspace.id, request, actor: caller.name });
  }

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.bus.call(runs.list, { workspace_id: workspace.id, ...query });
  }

  findIds({ workspace, query }: RouteRequest<Routes['findIds']>) {
    return this.bus.call(runs.findIds, { workspace_id: workspace.id, ...query });
  }

  get(request: RouteRequest<Routes['get']>) {
    return this.bus.call(runs.get, runOf(request));
  }

  agents(request: RouteRequest<Routes['agents']>) {
    return this.bus.call(runs.agents, runOf(request));
  }

  attempts(request: RouteRequest<Routes['attempts']>) {
    return this.bus.call(runs.attempts, { ...runOf(request), ...request.query });
  }

  /** Each attempt beside its scorecard. Where the scorecards' bytes end a page early, the attempts end with them. */
  async scorecards(request: RouteRequest<Routes['scorecards']>) {
    const { workspace, query } = request;
    let attempts = await this.attempts(request);
    const attempt_ids = attempts.items.map(({ id }) => id);
    if (attempt_ids.length === 0) return { items: [], next_cursor: attempts.next_cursor };
    const { items: cards } = await this.bus.call(scorecards.attempts, {
      workspace_id: workspace.id,
      attempt_ids,
    });
    if (cards.length < attempt_ids.length) {
      attempts = await this.attempts({ ...request, query: { ...query, limit: cards.length } });
    }
    const byAttempt = new Map(cards.map((card) => [card.attempt_id, card]));
    const items = attempts.items.flatMap((attempt) => {
      const scorecard = byAttempt.get(attempt.id);
      return scorecard === undefined ? [] : [{ attempt, scorecard }];
    });
    return { items, next_cursor: attempts.next_cursor };
  }

  cancel(request: RouteRequest<Routes['cancel']>) {
    return this.bus.call(runs.cancel, { ...runOf(request), actor: request.caller.name });
  }

  pause(request: RouteRequest<Routes['pause']>) {
    return this.bus.call(runs.pause, { ...runOf(request), actor: request.caller.name });
  }

  resume(request: RouteRequest<Routes['resume']>) {
    return this.bus.call(runs.resume, { ...runOf(request), actor: request.caller.name });
  }

  retry(request: RouteRequest<Routes['retry']>) {
    return this.bus.call(runs.retry, {
      ...runOf(request),
      request: request.body,
      actor: request.caller.name,
    });
  }

  rescore(request: RouteRequest<Routes['rescore']>) {
    return this.bus.call(scorecards.rescore, {
      ...runOf(request),
      ...request.body,
      actor: request.caller.name,
    });
  }

  async remove(request: RouteRequest<Routes['remove']>) {
    await this.bus.call(runs.remove, { ...runOf(request), actor: request.caller.name });
    return undefined;
  }

  async ranking(request: RouteRequest<Routes['ranking']>) {
    // Scoring knows only what it scored; whether there is such a run, and how to read it, the orchestrator knows.
    const [ranking, run] = await Promise.all([
      this.bus.call(scorecards.ranking, runOf(request)),
      this.bus.call(runs.get, runOf(request)),
    ]);
    return { ...ranking, ...readingNotes(run) };
  }

  async failures(request: RouteRequest<Routes['failures']>) {
    const page = await this.bus.call(scorecards.failures, { ...runOf(request), ...request.query });
    if (page.items.length === 0) await this.bus.call(runs.get, runOf(request));
    return page;
  }

  async events(request: RouteRequest<Routes['events']>) {
    const { http, query, caller } = request;
    const from = { ...runOf(request), after: startOf(http, query.after) };
    const first = await this.history.read(from);
    if (query.format === 'ndjson') {
      const lines = Readable.from(jsonLines(this.history.recorded(from, first)));
      return new RouteResponse(lines, { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } });
    }
    // To a reader of server-sent events, 204 says: do not come again.
    if (first.is_end && first.items.length === 0) return new RouteResponse(undefined, { status: 204 });
    const { signal, close } = this.streams.open(caller, http);
    const events = serverSentEvents(this.history.live(from, first, { signal, deltas: query.deltas }), close);
    return new RouteResponse(Readable.from(events), { headers: STREAM_HEADERS });
  }
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Proxies must not hold events back.
  'x-accel-buffering': 'no',
};

function runOf({ workspace, params }: Pick<RouteRequest<Routes['get']>, 'workspace' | 'params'>) {
  return { workspace_id: workspace.id, run_id: params.run_id };
}
