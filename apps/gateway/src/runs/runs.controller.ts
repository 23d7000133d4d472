import { Readable } from 'node:stream';
import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { readingNotes, runs, scorecards } from '@agentclash/contracts';
import { Answer } from '../http/answer.js';
import type { Asked } from '../http/asked.js';
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

  create({ workspace, caller, body }: Asked<Routes['create']>) {
    const request = { ...body, deployment_ids: body.deployment_ids ?? [] };
    return this.bus.call(runs.create, { workspace_id: workspace.id, request, actor: caller.name });
  }

  list({ workspace, query }: Asked<Routes['list']>) {
    return this.bus.call(runs.list, { workspace_id: workspace.id, ...query });
  }

  findIds({ workspace, query }: Asked<Routes['findIds']>) {
    return this.bus.call(runs.findIds, { workspace_id: workspace.id, ...query });
  }

  get(asked: Asked<Routes['get']>) {
    return this.bus.call(runs.get, runOf(asked));
  }

  agents(asked: Asked<Routes['agents']>) {
    return this.bus.call(runs.agents, runOf(asked));
  }

  attempts(asked: Asked<Routes['attempts']>) {
    return this.bus.call(runs.attempts, { ...runOf(asked), ...asked.query });
  }

  /** Each attempt beside its scorecard. Where the scorecards' bytes end a page early, the attempts end with them. */
  async scorecards(asked: Asked<Routes['scorecards']>) {
    const { workspace, query } = asked;
    let attempts = await this.attempts(asked);
    const attempt_ids = attempts.items.map(({ id }) => id);
    if (attempt_ids.length === 0) return { items: [], next_cursor: attempts.next_cursor };
    const { items: cards } = await this.bus.call(scorecards.attempts, {
      workspace_id: workspace.id,
      attempt_ids,
    });
    if (cards.length < attempt_ids.length) {
      attempts = await this.attempts({ ...asked, query: { ...query, limit: cards.length } });
    }
    const byAttempt = new Map(cards.map((card) => [card.attempt_id, card]));
    const items = attempts.items.flatMap((attempt) => {
      const scorecard = byAttempt.get(attempt.id);
      return scorecard === undefined ? [] : [{ attempt, scorecard }];
    });
    return { items, next_cursor: attempts.next_cursor };
  }

  cancel(asked: Asked<Routes['cancel']>) {
    return this.bus.call(runs.cancel, { ...runOf(asked), actor: asked.caller.name });
  }

  pause(asked: Asked<Routes['pause']>) {
    return this.bus.call(runs.pause, { ...runOf(asked), actor: asked.caller.name });
  }

  resume(asked: Asked<Routes['resume']>) {
    return this.bus.call(runs.resume, { ...runOf(asked), actor: asked.caller.name });
  }

  retry(asked: Asked<Routes['retry']>) {
    return this.bus.call(runs.retry, { ...runOf(asked), request: asked.body, actor: asked.caller.name });
  }

  rescore(asked: Asked<Routes['rescore']>) {
    return this.bus.call(scorecards.rescore, { ...runOf(asked), ...asked.body, actor: asked.caller.name });
  }

  async remove(asked: Asked<Routes['remove']>) {
    await this.bus.call(runs.remove, { ...runOf(asked), actor: asked.caller.name });
    return undefined;
  }

  async ranking(asked: Asked<Routes['ranking']>) {
    // Scoring knows only what it scored; whether there is such a run, and how to read it, the orchestrator knows.
    const [ranking, run] = await Promise.all([
      this.bus.call(scorecards.ranking, runOf(asked)),
      this.bus.call(runs.get, runOf(asked)),
    ]);
    return { ...ranking, ...readingNotes(run) };
  }

  async failures(asked: Asked<Routes['failures']>) {
    const page = await this.bus.call(scorecards.failures, { ...runOf(asked), ...asked.query });
    if (page.items.length === 0) await this.bus.call(runs.get, runOf(asked));
    return page;
  }

  async events(asked: Asked<Routes['events']>) {
    const { request, query, caller } = asked;
    const from = { ...runOf(asked), after: startOf(request, query.after) };
    const first = await this.history.read(from);
    if (query.format === 'ndjson') {
      const lines = Readable.from(jsonLines(this.history.recorded(from, first)));
      return new Answer(lines, { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } });
    }
    // To a reader of server-sent events, 204 says: do not come again.
    if (first.is_end && first.items.length === 0) return new Answer(undefined, { status: 204 });
    const { signal, close } = this.streams.open(caller, request);
    const events = serverSentEvents(this.history.live(from, first, { signal, deltas: query.deltas }), close);
    return new Answer(Readable.from(events), { headers: STREAM_HEADERS });
  }
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Proxies must not hold events back.
  'x-accel-buffering': 'no',
};

function runOf({ workspace, params }: Pick<Asked<Routes['get']>, 'workspace' | 'params'>) {
  return { workspace_id: workspace.id, run_id: params.run_id };
}
