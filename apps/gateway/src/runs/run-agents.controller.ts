import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { scorecards } from '@agentclash/contracts';
import type { Asked } from '../http/asked.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.runAgents;

@ServesRoutes(routes.runAgents)
export class RunAgentsController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  scorecard({ workspace, params }: Asked<Routes['scorecard']>) {
    const { run_agent_id } = params;
    return this.bus.call(scorecards.runAgent, { workspace_id: workspace.id, run_agent_id });
  }
}
