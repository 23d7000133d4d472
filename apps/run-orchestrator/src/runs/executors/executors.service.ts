import { Handles, type Serves } from '@agentclash/bus';
import { type ExecutorReport, executors, fleet, type In, type Out } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject } from '@nestjs/common';
import { ExecutorsStore, seenSince } from './executors.store.js';

/** The executors at work. */
@Handles(executors)
@Handles(fleet)
export class ExecutorsService implements Serves<typeof executors>, Serves<typeof fleet> {
  constructor(
    private readonly store: ExecutorsStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async report(report: ExecutorReport): Promise<Out<typeof executors.report>> {
    const { executor_id, provider, isolation, attempts_max } = report;
    const now = new Date();
    await this.store.save(report, now);
    await this.store.removeExpired(seenSince(now));
    this.logger.info({ executor_id, provider, isolation, attempts_max }, 'executor registered');
    return {};
  }

  async renew({ executor_id }: In<typeof executors.renew>): Promise<Out<typeof executors.renew>> {
    return { is_known: await this.store.see(executor_id, new Date()) };
  }

  async leave({ executor_id }: In<typeof executors.leave>): Promise<Out<typeof executors.leave>> {
    await this.store.remove(executor_id);
    this.logger.info({ executor_id }, 'executor deregistered');
    return {};
  }

  /** Executors with a recent report or heartbeat. */
  async list(): Promise<Out<typeof fleet.list>> {
    return { items: await this.store.seen(seenSince(new Date())) };
  }
}
