import { createEgress } from '@agentclash/egress';
import { Module } from '@nestjs/common';
import { OperatorSettings } from '../catalogue/resources/operator-settings.js';
import { ChangesModule } from '../runs/changes/changes.module.js';
import { GateDecisionsListener } from './gate-decisions.listener.js';
import { WebhookDeliveriesStore } from './webhook-deliveries.store.js';
import { WebhookQueueStore } from './webhook-queue.store.js';
import { WEBHOOK_EGRESS, WebhookSender } from './webhook-sender.js';
import { WebhookLogLoop, WebhookSenderLoop } from './webhook-sender.loop.js';
import { WebhooksService } from './webhooks.service.js';
import { WebhooksStore } from './webhooks.store.js';

/** Sends events of runs to addresses that the workspace named. */
@Module({
  imports: [ChangesModule],
  controllers: [GateDecisionsListener, WebhooksService],
  providers: [
    {
      provide: WEBHOOK_EGRESS,
      inject: [OperatorSettings],
      useFactory: ({ egress: settings }: OperatorSettings) => createEgress({ settings }),
    },
    WebhookDeliveriesStore,
    WebhookLogLoop,
    WebhookQueueStore,
    WebhookSender,
    WebhookSenderLoop,
    WebhooksStore,
  ],
})
export class WebhooksModule {}
