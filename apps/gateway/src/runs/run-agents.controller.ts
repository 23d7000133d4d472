import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { runs, scorecards } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.runAgents;

@ServesRoutes(routes.runAgents)
export class RunAgentsController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  async scorecard({ workspace, params }: RouteRequest<Routes['scorecard']>) {
    const request = { workspace_id: workspace.id, run_agent_id: params.run_agent_id };
    const reply = await this.bus.call(scorecards.runAgent, request);
    // Scoring knows only what it scored: whether there is such a lane, its owner tells.
    if (reply.state === 'pending') await this.bus.call(runs.agent, request);
    return reply;
  }
}
