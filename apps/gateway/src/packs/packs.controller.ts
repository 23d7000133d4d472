import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { packs } from '@agentclash/contracts';
import type { Asked } from '../http/asked.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { PacksService, type Sender } from './packs.service.js';

type Routes = typeof routes.packs;

@ServesRoutes(routes.packs)
export class PacksController implements Serving<Routes> {
  constructor(
    private readonly bus: Bus,
    private readonly packs: PacksService,
  ) {}

  validate(asked: Asked<Routes['validate']>) {
    return this.packs.validate(senderOf(asked), asked.body);
  }

  publish(asked: Asked<Routes['publish']>) {
    return this.packs.publish(senderOf(asked), asked.body);
  }

  list({ workspace, query }: Asked<Routes['list']>) {
    return this.bus.call(packs.list, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params }: Asked<Routes['get']>) {
    return this.bus.call(packs.get, { workspace_id: workspace.id, pack: params.pack });
  }
}

function senderOf({ request, workspace, caller, query }: Omit<Asked<Routes['publish']>, 'body'>): Sender {
  return { request, workspaceId: workspace.id, caller, strict: query.strict };
}
