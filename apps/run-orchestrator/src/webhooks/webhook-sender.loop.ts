import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { WebhookDeliveriesStore } from './webhook-deliveries.store.js';
import { type ClaimedDelivery, WebhookQueueStore } from './webhook-queue.store.js';
import { WebhookSender, WebhookSettings } from './webhook-sender.js';

/** Attempts that one instance makes at a time; of one workspace on all instances. */
const SENDING_MAX = 32;
const WORKSPACE_SENDING_MAX = 4;
/** Longer than an attempt may take. */
const LEASE_MS = 60_000;

/** Claims deliveries that are due, and sends each as soon as a slot is free: a slow address delays no other workspace. */
@Injectable()
export class WebhookSenderLoop extends PeriodicTask {
  constructor(
    queue: WebhookQueueStore,
    sender: WebhookSender,
    { everyMs }: WebhookSettings,
    @Inject(LOGGER) logger: Logger,
  ) {
    const sending = new Set<Promise<void>>();
    const start = (delivery: ClaimedDelivery, signal: AbortSignal) => {
      const sent = sender
        .send(delivery, signal)
        .catch((err: unknown) =>
          logger.warn({ err, delivery_id: delivery.id }, 'a delivery was not recorded'),
        )
        .finally(() => {
          sending.delete(sent);
          // The next one of its run is due at once.
          this.wake();
        });
      sending.add(sent);
    };
    super({
      run: async (signal) => {
        const now = new Date();
        const take = SENDING_MAX - sending.size;
        if (take > 0 && (await queue.hasDue(now))) {
          const limits = { leaseMs: LEASE_MS, take, workspaceMax: WORKSPACE_SENDING_MAX };
          for (const delivery of await queue.claim({ now, ...limits })) start(delivery, signal);
        }
        if (signal.aborted) await Promise.all(sending);
      },
      everyMs,
      firstRun: 'immediate',
      failureMessage: 'webhook deliveries could not be claimed',
      logger,
    });
    this.sending = sending;
  }

  private readonly sending: ReadonlySet<Promise<void>>;

  /** Cuts attempts short and waits until they are given back. */
  override async stop(): Promise<void> {
    await super.stop();
    await Promise.all(this.sending);
  }
}

const DAY_MS = 86_400_000;
const LOG_DAYS = 30;
const REMOVED_AT_ONCE = 1_000;

/** Removes deliveries from the log that ended long ago. */
@Injectable()
export class WebhookLogLoop extends PeriodicTask {
  constructor(deliveries: WebhookDeliveriesStore, @Inject(LOGGER) logger: Logger) {
    super({
      run: async (signal) => {
        const moment = new Date(Date.now() - LOG_DAYS * DAY_MS);
        while (!signal.aborted) {
          if ((await deliveries.removeEnded(moment, REMOVED_AT_ONCE)) < REMOVED_AT_ONCE) return;
        }
      },
      everyMs: 3_600_000,
      failureMessage: 'old webhook deliveries were not removed',
      logger,
    });
  }
}
