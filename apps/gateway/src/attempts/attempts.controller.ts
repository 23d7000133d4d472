import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { attempts, scorecards } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { AttemptHistory } from './attempt-history.js';

type Routes = typeof routes.attempts;

@ServesRoutes(routes.attempts)
export class AttemptsController implements Serving<Routes> {
  constructor(
    private readonly bus: Bus,
    private readonly history: AttemptHistory,
  ) {}

  get(request: RouteRequest<Routes['get']>) {
    return this.bus.call(attempts.get, attemptOf(request));
  }

  events(request: RouteRequest<Routes['events']>) {
    return this.history.events({ ...attemptOf(request), ...request.query });
  }

  async replay(request: RouteRequest<Routes['replay']>) {
    const replay = await this.history.replay({ ...attemptOf(request), ...request.query });
    return { ...replay, attempt_id: request.params.attempt_id };
  }

  async scorecard(request: RouteRequest<Routes['scorecard']>) {
    const reply = await this.bus.call(scorecards.attempt, attemptOf(request));
    // Scoring knows only what it scored: whether there is such an attempt, its owner tells.
    if (reply.state === 'pending') await this.bus.call(attempts.get, attemptOf(request));
    return reply;
  }

  answer(request: RouteRequest<Routes['answer']>) {
    const { caller, body } = request;
    return this.bus.call(attempts.answer, { ...attemptOf(request), actor: caller.name, request: body });
  }

  requestPhase(request: RouteRequest<Routes['requestPhase']>) {
    const { caller, body } = request;
    return this.bus.call(attempts.requestPhase, { ...attemptOf(request), actor: caller.name, request: body });
  }
}

function attemptOf({ workspace, params }: Pick<RouteRequest<Routes['get']>, 'workspace' | 'params'>) {
  return { workspace_id: workspace.id, attempt_id: params.attempt_id };
}
