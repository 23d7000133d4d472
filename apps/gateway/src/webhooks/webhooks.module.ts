import { routes } from '@agentclash/api';
import { webhooks } from '@agentclash/contracts';
import { Module } from '@nestjs/common';
import { type Forwards, forward, scope, scopeAndActor, scopeAndSpec } from '../http/forward.js';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { WebhooksService } from './webhooks.service.js';

type Routes = typeof routes.webhooks;

const FORWARDS = {
  list: forward(webhooks.list, scope),
  get: forward(webhooks.get, scope),
  update: forward(webhooks.update, scopeAndSpec, ({ webhook, applied }) => ({ ...webhook, applied })),
  deliveries: forward(webhooks.deliveries, scope),
  delivery: forward(webhooks.delivery, scope),
  resend: forward(webhooks.resend, scope),
  test: forward(webhooks.test, scopeAndActor),
} satisfies Forwards<Routes>;

@ServesRoutes(routes.webhooks, FORWARDS)
class WebhooksController implements Serving<Routes, typeof FORWARDS> {
  constructor(private readonly webhooks: WebhooksService) {}

  create({ workspace, caller, body }: RouteRequest<Routes['create']>) {
    return this.webhooks.create(workspace.id, caller.name, body);
  }

  async remove({ workspace, caller, params }: RouteRequest<Routes['remove']>): Promise<undefined> {
    await this.webhooks.remove(workspace.id, caller.name, params.webhook_id);
  }
}

@Module({ controllers: [WebhooksController], providers: [WebhooksService] })
export class WebhooksModule {}
