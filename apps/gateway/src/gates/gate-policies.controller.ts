import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { gatePolicies } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.gatePolicies;

@ServesRoutes(routes.gatePolicies)
export class GatePoliciesController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  create({ workspace, caller, body }: RouteRequest<Routes['create']>) {
    return this.bus.call(gatePolicies.create, { workspace_id: workspace.id, spec: body, actor: caller.name });
  }

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.bus.call(gatePolicies.list, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params: { gate_policy_id } }: RouteRequest<Routes['get']>) {
    return this.bus.call(gatePolicies.get, { workspace_id: workspace.id, gate_policy_id });
  }

  getDefault({ workspace }: RouteRequest<Routes['getDefault']>) {
    return this.bus.call(gatePolicies.getDefault, { workspace_id: workspace.id });
  }

  async update({ workspace, caller, params, body }: RouteRequest<Routes['update']>) {
    const { applied, gate_policy } = await this.bus.call(gatePolicies.update, {
      workspace_id: workspace.id,
      gate_policy_id: params.gate_policy_id,
      spec: body,
      actor: caller.name,
    });
    return { ...gate_policy, applied };
  }

  async remove({
    workspace,
    params: { gate_policy_id },
  }: RouteRequest<Routes['remove']>): Promise<undefined> {
    await this.bus.call(gatePolicies.remove, { workspace_id: workspace.id, gate_policy_id });
  }
}
