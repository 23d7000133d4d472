import { Bus } from '@agentclash/bus';
import { type execution, type In, leases, type Out } from '@agentclash/contracts';
import { received } from '@agentclash/engine';
import { LOGGER, type Logger, newId } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Deliveries } from './deliveries.service.js';
import { LEASE_PATIENCE_MS } from './leases.loop.js';
import { LiveAttempts } from './live-attempts.js';
import { MACHINE, type Machine } from './machine.js';
import { patiently } from './patiently.js';

type Work = In<typeof execution.execute>;
type Claimed = Extract<Out<typeof leases.claim>['items'][number], { claimed: true }>;

@Injectable()
export class AttemptsService {
  constructor(
    private readonly bus: Bus,
    private readonly live: LiveAttempts,
    private readonly deliveries: Deliveries,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Drives one delivery of each attempt that is still to be had: to its end, or until a person is waited for. */
  async execute({ run_id, attempt_ids }: Work): Promise<void> {
    await allOf(
      attempt_ids.map(async (id) => {
        const leave = await this.live.places.take();
        try {
          await this.claimAndDrive(run_id, [id]);
        } finally {
          leave();
        }
      }),
    );
  }

  /** As `execute`, for attempts that take no sandbox: all at once, and beside those that do. */
  async prompt({ run_id, attempt_ids }: Work): Promise<void> {
    await this.claimAndDrive(run_id, attempt_ids);
  }

  /** A claim may be won and its answer lost: under the same id it is answered again. */
  private async claimAndDrive(runId: string, attempt_ids: string[], claim_id = newId()): Promise<void> {
    const { executorId: executor_id } = this.machine;
    const { items } = await patiently(
      () => this.bus.call(leases.claim, { attempt_ids, executor_id, claim_id }),
      LEASE_PATIENCE_MS,
      () => !this.live.isStopping,
    );
    const driven = items.map(async (item) => {
      if (item.claimed) await this.drive(runId, item);
      else this.logger.debug({ attempt: item.attempt_id, reason: item.reason }, 'not claimed');
    });
    const later = items.filter((item) => !item.claimed && item.reason === 'later');
    if (later.length > 0) {
      const ids = later.map(({ attempt_id }) => attempt_id);
      driven.push(this.claimAndDrive(runId, ids, claim_id));
    }
    await allOf(driven);
  }

  private async drive(runId: string, { attempt_id, delivery, plan }: Claimed): Promise<void> {
    const holding = { attempt_id, delivery, executor_id: this.machine.executorId };
    const work = this.live.begin(runId);
    try {
      await this.deliveries.drive({ plan: received('agentclash.attempt-plan/1', plan), holding, work });
    } finally {
      this.live.end(work);
    }
  }
}

/** Waits for all, whatever becomes of each, and fails as the first of those that failed. */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
