import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { deployments } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.deployments;

@ServesRoutes(routes.deployments)
export class DeploymentsController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  create({ workspace, caller, body }: RouteRequest<Routes['create']>) {
    return this.bus.call(deployments.create, { workspace_id: workspace.id, spec: body, actor: caller.name });
  }

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.bus.call(deployments.list, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params }: RouteRequest<Routes['get']>) {
    const { deployment_id } = params;
    return this.bus.call(deployments.get, { workspace_id: workspace.id, deployment_id });
  }

  async update({ workspace, caller, params, body }: RouteRequest<Routes['update']>) {
    const { applied, deployment } = await this.bus.call(deployments.update, {
      workspace_id: workspace.id,
      deployment_id: params.deployment_id,
      spec: body,
      actor: caller.name,
    });
    return { ...deployment, applied };
  }

  async archive({ workspace, params }: RouteRequest<Routes['archive']>): Promise<undefined> {
    const { deployment_id } = params;
    await this.bus.call(deployments.archive, { workspace_id: workspace.id, deployment_id });
  }
}
