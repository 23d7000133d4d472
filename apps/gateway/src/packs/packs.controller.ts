import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { packs } from '@agentclash/contracts';
import { Answer } from '../http/answer.js';
import type { Asked } from '../http/asked.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.packs;

@ServesRoutes(routes.packs)
export class PacksController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  validate({ workspace, query, body }: Asked<Routes['validate']>) {
    const document_base64 = body.toString('base64');
    return this.bus.call(packs.validate, {
      workspace_id: workspace.id,
      document_base64,
      strict: query.strict,
    });
  }

  async publish({ workspace, caller, query, body }: Asked<Routes['publish']>) {
    const published = await this.bus.call(packs.publish, {
      workspace_id: workspace.id,
      document_base64: body.toString('base64'),
      strict: query.strict,
      actor: caller.name,
    });
    return new Answer(published, { status: published.created ? 201 : 200 });
  }

  list({ workspace, query }: Asked<Routes['list']>) {
    return this.bus.call(packs.list, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params }: Asked<Routes['get']>) {
    return this.bus.call(packs.get, { workspace_id: workspace.id, pack: params.pack });
  }
}
