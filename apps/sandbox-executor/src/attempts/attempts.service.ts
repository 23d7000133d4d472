import { Bus } from '@agentclash/bus';
import { type execution, type In, leases } from '@agentclash/contracts';
import { received } from '@agentclash/engine';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Deliveries } from './deliveries.service.js';
import { LiveAttempts } from './live-attempts.js';
import { MACHINE, type Machine } from './machine.js';

@Injectable()
export class AttemptsService {
  constructor(
    private readonly bus: Bus,
    private readonly live: LiveAttempts,
    private readonly deliveries: Deliveries,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Drives one delivery of an attempt, if it is still to be had: to its end, or until a person is waited for. */
  async execute(job: In<typeof execution.execute>): Promise<void> {
    const leave = await this.live.places.take();
    try {
      await this.claimAndDrive(job);
    } finally {
      leave();
    }
  }

  private async claimAndDrive({ attempt_id, run_id }: In<typeof execution.execute>): Promise<void> {
    const { executorId: executor_id } = this.machine;
    const claim = await this.bus.call(leases.claim, { attempt_id, executor_id });
    if (!claim.claimed) {
      this.logger.debug({ attempt: attempt_id, reason: claim.reason }, 'not claimed');
      return;
    }
    const plan = received('agentclash.attempt-plan/1', claim.plan);
    const holding = { attempt_id, delivery: claim.delivery, executor_id };
    const work = this.live.begin(run_id);
    try {
      await this.deliveries.drive({ plan, holding, work });
    } finally {
      this.live.end(work);
    }
  }
}
