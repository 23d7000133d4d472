import { Bus, Handles, type Serves } from '@agentclash/bus';
import { type In, modelSlotEvents, modelSlots, type Out } from '@agentclash/contracts';
import { metrics } from '@agentclash/service-kit';
import { type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AccountQueue } from './account-queue.js';
import { ModelSlotsStore } from './model-slots.store.js';

export class SlotSettings {
  /** @param leaseMs How long a slot lasts without being renewed. */
  constructor(readonly leaseMs: number) {}
}

/** How long a request waits before the caller must repeat it; well under the timeout of the request. */
const WAIT_MS = 10_000;

@Handles(modelSlots)
export class ModelSlotsService implements Serves<typeof modelSlots>, OnModuleInit, OnApplicationShutdown {
  private readonly queues = new Map<string, AccountQueue>();
  private unmeasure: (() => void)[] = [];

  constructor(
    private readonly store: ModelSlotsStore,
    private readonly settings: SlotSettings,
    private readonly bus: Bus,
  ) {}

  onModuleInit(): void {
    const limits = async () => [{ labels: {}, value: (await this.store.figures()).limits }];
    const slots = async () => {
      const { held, waiting } = await this.store.figures();
      return [
        { labels: { state: 'held' }, value: held },
        { labels: { state: 'waiting' }, value: waiting },
      ];
    };
    this.unmeasure = [
      metrics.gauge('agentclash_model_limits', limits),
      metrics.gauge('agentclash_model_slots', slots),
    ];
  }

  async acquire(request: In<typeof modelSlots.acquire>): Promise<Out<typeof modelSlots.acquire>> {
    const { provider_account_id: accountId, run_id: runId, slot_id: slotId, owner } = request;
    const granted = await this.queueOf(accountId).acquire({ slotId, accountId, runId, owner }, this.waitMs);
    if (!granted) return { granted };
    return { granted, lease_until: this.leaseUntil().toISOString(), lease_ms: this.settings.leaseMs };
  }

  async renew({ owner, slot_ids }: In<typeof modelSlots.renew>): Promise<Out<typeof modelSlots.renew>> {
    const leaseUntil = this.leaseUntil();
    return {
      lease_until: leaseUntil.toISOString(),
      held: await this.store.renew(owner, slot_ids, leaseUntil),
    };
  }

  async release(request: In<typeof modelSlots.release>): Promise<Record<string, never>> {
    const {
      slot_id: slotId,
      owner,
      provider_account_id,
      outcome,
      retry_after_ms: retryAfterMs = 0,
    } = request;
    await this.queueOf(provider_account_id).release({ slotId, owner, outcome, retryAfterMs });
    return {};
  }

  onApplicationShutdown(): void {
    for (const end of this.unmeasure) end();
    for (const queue of this.queues.values()) queue.stop();
    this.queues.clear();
  }

  /** A queue position lasts as long as a lease: a waiting caller must repeat its request before. */
  private get waitMs(): number {
    return Math.min(WAIT_MS, this.settings.leaseMs / 2);
  }

  private leaseUntil(): Date {
    return new Date(Date.now() + this.settings.leaseMs);
  }

  private queueOf(accountId: string): AccountQueue {
    const known = this.queues.get(accountId);
    if (known) return known;
    const { store, settings } = this;
    const onEmpty = () => this.queues.delete(accountId);
    const onContended = () =>
      this.bus.publishLive(modelSlotEvents.contended, { provider_account_id: accountId });
    const { leaseMs } = settings;
    const queue = new AccountQueue(accountId, { store, leaseMs, onEmpty, onContended });
    this.queues.set(accountId, queue);
    return queue;
  }
}
