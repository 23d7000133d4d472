import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { attempts, scorecards } from '@agentclash/contracts';
import type { Asked } from '../http/asked.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { AttemptHistory } from './attempt-history.js';

type Routes = typeof routes.attempts;

@ServesRoutes(routes.attempts)
export class AttemptsController implements Serving<Routes> {
  constructor(
    private readonly bus: Bus,
    private readonly history: AttemptHistory,
  ) {}

  get(asked: Asked<Routes['get']>) {
    return this.bus.call(attempts.get, attemptOf(asked));
  }

  events(asked: Asked<Routes['events']>) {
    return this.history.events({ ...attemptOf(asked), ...asked.query });
  }

  async replay(asked: Asked<Routes['replay']>) {
    const replay = await this.history.replay({ ...attemptOf(asked), ...asked.query });
    return { ...replay, attempt_id: asked.params.attempt_id };
  }

  async scorecard(asked: Asked<Routes['scorecard']>) {
    const reply = await this.bus.call(scorecards.attempt, attemptOf(asked));
    // Scoring knows only what it scored: whether there is such an attempt, its owner tells.
    if (reply.state === 'pending') await this.bus.call(attempts.get, attemptOf(asked));
    return reply;
  }

  answer(asked: Asked<Routes['answer']>) {
    const { caller, body } = asked;
    return this.bus.call(attempts.answer, { ...attemptOf(asked), actor: caller.name, request: body });
  }

  requestPhase(asked: Asked<Routes['requestPhase']>) {
    const { caller, body } = asked;
    return this.bus.call(attempts.requestPhase, { ...attemptOf(asked), actor: caller.name, request: body });
  }
}

function attemptOf({ workspace, params }: Pick<Asked<Routes['get']>, 'workspace' | 'params'>) {
  return { workspace_id: workspace.id, attempt_id: params.attempt_id };
}
