import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { attempts, scorecards } from '@agentclash/contracts';
import { Module } from '@nestjs/common';
import { type Forwards, forward, scope, scopeAndRequest } from '../http/forward.js';
import type { RouteRequest } from '../http/route-request.js';
import { RouteResponse } from '../http/route-response.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { AttemptHistory } from './attempt-history.js';
import { ReplaysService } from './replays.service.js';

type Routes = typeof routes.attempts;

const FORWARDS = {
  get: forward(attempts.get, scope),
  answer: forward(attempts.answer, scopeAndRequest),
  requestPhase: forward(attempts.requestPhase, scopeAndRequest),
} satisfies Forwards<Routes>;

/** Text that an agent wrote is never a page of this origin. */
const PAYLOAD_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

@ServesRoutes(routes.attempts, FORWARDS)
class AttemptsController implements Serving<Routes, typeof FORWARDS> {
  constructor(
    private readonly bus: Bus,
    private readonly history: AttemptHistory,
  ) {}

  events(request: RouteRequest<Routes['events']>) {
    return this.history.events(scope(request));
  }

  async payload(request: RouteRequest<Routes['payload']>) {
    const { sequence_number, ...address } = scope(request);
    const content = await this.history.payload({ ...address, sequence_number: Number(sequence_number) });
    return new RouteResponse(content, { headers: PAYLOAD_HEADERS });
  }

  async replay(request: RouteRequest<Routes['replay']>) {
    const replay = await this.history.replay(scope(request));
    return { ...replay, attempt_id: request.params.attempt_id };
  }

  /** Fails with `not_found` for an attempt that does not exist, which scoring reports as pending. */
  async scorecard(request: RouteRequest<Routes['scorecard']>) {
    const reply = await this.bus.call(scorecards.attempt, scope(request));
    if (reply.state === 'pending') await this.bus.call(attempts.get, scope(request));
    return reply;
  }
}

@Module({ controllers: [AttemptsController], providers: [AttemptHistory, ReplaysService] })
export class AttemptsModule {}
