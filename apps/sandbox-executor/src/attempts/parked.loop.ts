import { Bus } from '@agentclash/bus';
import { leases, type ParkedFate } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MACHINE, type Machine } from '../machine/machine.js';
import { RENEW_EVERY_MS } from './leases.loop.js';
import { type KeptAttempt, ParkedAttempts } from './parked-attempts.js';
import { Resumptions } from './resumptions.service.js';

/** How late a sandbox's death or the end of a person's time may be noticed. */
const LOOK_EVERY_MS = 1_000;
const RENEWED_AT_ONCE = 500;

/**
 * Looks after parked attempts: keeps their leases, all with one request, and hears with its answer what a lost message
 * did not say: that somebody answered, that the run was cancelled, that the delivery is no longer ours.
 */
@Injectable()
export class ParkedLoop implements OnApplicationBootstrap {
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly bus: Bus,
    private readonly parked: ParkedAttempts,
    private readonly resumptions: Resumptions,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.push(
      setInterval(() => this.look(), LOOK_EVERY_MS),
      setInterval(() => void this.renewAll(), RENEW_EVERY_MS),
    );
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  private look(): void {
    const now = Date.now();
    for (const kept of this.parked.all()) {
      if (kept.sandbox.hasDied()) void this.resumptions.resume(kept, 'sandbox_gone');
      else if (kept.deadlineMs <= now) void this.resumptions.resume(kept);
    }
  }

  private async renewAll(): Promise<void> {
    const all = this.parked.all();
    for (let start = 0; start < all.length; start += RENEWED_AT_ONCE) {
      const some = all.slice(start, start + RENEWED_AT_ONCE);
      await this.renew(some).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'leases of parked attempts were not renewed');
      });
    }
  }

  private async renew(some: readonly KeptAttempt[]): Promise<void> {
    const items = some.map(({ holding: { attempt_id, delivery } }) => ({ attempt_id, delivery }));
    const request = { executor_id: this.machine.executorId, items };
    const reply = await this.bus.call(leases.renewParked, request);
    const fates = new Map(reply.items.map(({ attempt_id, fate }) => [attempt_id, fate]));
    for (const kept of some) {
      const fate = fates.get(kept.holding.attempt_id);
      if (fate !== undefined && !kept.isLeaving && this.parked.has(kept)) this.applyFate(kept, fate);
    }
  }

  private applyFate(kept: KeptAttempt, fate: ParkedFate): void {
    if (fate === 'ready') void this.resumptions.resume(kept);
    else if (fate === 'cancelled') void this.resumptions.resume(kept, 'cancelled');
    else if (fate === 'lost') void this.resumptions.drop(kept);
  }
}
