import { Bus } from '@agentclash/bus';
import { leases, type ParkedFate } from '@agentclash/contracts';
import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MACHINE, type Machine } from '../../machine/machine.js';
import { RENEW_EVERY_MS } from '../leases/leases.loop.js';
import { type HeldAttempt, ParkedAttempts } from '../parking/parked-attempts.js';
import { Resumptions } from './resumptions.service.js';

/** The delay after which a sandbox's death or the timeout of a human turn is detected. */
const CHECK_EVERY_MS = 1_000;
const RENEWED_AT_ONCE = 500;

/**
 * Renews the leases of parked attempts, many with one request, and applies the fates of the reply, which also repair
 * lost messages: a given turn, a cancelled run, a lost delivery.
 */
@Injectable()
export class ParkedLoop implements OnApplicationBootstrap {
  private readonly tasks: readonly PeriodicTask[];

  constructor(
    private readonly bus: Bus,
    private readonly parked: ParkedAttempts,
    private readonly resumptions: Resumptions,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.tasks = [
      new PeriodicTask({
        run: async () => this.check(),
        everyMs: CHECK_EVERY_MS,
        failureMessage: 'checking parked attempts failed',
        logger,
      }),
      new PeriodicTask({
        run: () => this.renewAll(),
        everyMs: RENEW_EVERY_MS,
        failureMessage: 'renewing the leases of parked attempts failed',
        logger,
      }),
    ];
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const task of this.tasks) await task.onApplicationBootstrap();
  }

  /** Called by the shutdown of the executor, in its order. */
  async stop(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  private check(): void {
    const now = Date.now();
    for (const held of this.parked.all()) {
      if (held.sandbox.hasDied()) void this.resumptions.resume(held, 'sandbox_gone');
      else if (held.deadlineMs <= now) void this.resumptions.resume(held);
    }
  }

  private async renewAll(): Promise<void> {
    const all = this.parked.all();
    for (let start = 0; start < all.length; start += RENEWED_AT_ONCE) {
      const some = all.slice(start, start + RENEWED_AT_ONCE);
      await this.renew(some).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'renewing the leases of parked attempts failed');
      });
    }
  }

  private async renew(some: readonly HeldAttempt[]): Promise<void> {
    const items = some.map(({ holding: { attempt_id, delivery } }) => ({ attempt_id, delivery }));
    const request = { executor_id: this.machine.executorId, items };
    const reply = await this.bus.call(leases.renewParked, request);
    const fates = new Map(reply.items.map(({ attempt_id, fate }) => [attempt_id, fate]));
    for (const held of some) {
      const fate = fates.get(held.holding.attempt_id);
      if (fate !== undefined && !held.isResuming && this.parked.has(held)) this.applyFate(held, fate);
    }
  }

  private applyFate(held: HeldAttempt, fate: ParkedFate): void {
    if (fate === 'ready') void this.resumptions.resume(held);
    else if (fate === 'cancelled') void this.resumptions.resume(held, 'cancelled');
    else if (fate === 'lost') void this.resumptions.drop(held);
  }
}
