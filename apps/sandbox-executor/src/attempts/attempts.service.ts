import { Handles, type Serves } from '@agentclash/bus';
import { execution, type In } from '@agentclash/contracts';
import { documentOf } from '@agentclash/engine';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject } from '@nestjs/common';
import { MACHINE, type Machine } from '../machine/machine.js';
import { LiveAttempts } from './capacity/live-attempts.js';
import { Deliveries } from './deliveries/deliveries.service.js';
import { type Claim, Claims, isForLater } from './leases/claims.service.js';

type Work = In<typeof execution.execute>;
type Claimed = Extract<Claim, { claimed: true }>;

@Handles(execution)
export class AttemptsService implements Serves<typeof execution> {
  constructor(
    private readonly claims: Claims,
    private readonly live: LiveAttempts,
    private readonly deliveries: Deliveries,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Drives one delivery of each attempt that is still to be had: to its end, or until a person is waited for. */
  async execute({ run_id, attempt_ids }: Work): Promise<void> {
    await allOf(
      attempt_ids.map(async (id) => {
        const release = await this.live.permits.acquire();
        try {
          await this.driveIfWon(run_id, await this.claims.one(id));
        } finally {
          release();
        }
      }),
    );
  }

  /** As `execute`, for attempts that take no sandbox: all at once, and beside those that do. */
  async prompt({ run_id, attempt_ids }: Work): Promise<void> {
    await this.claimAndDrive(run_id, attempt_ids);
  }

  private async claimAndDrive(runId: string, attemptIds: string[]): Promise<void> {
    const claims = await this.claims.of(attemptIds);
    const driven = claims.map((claim) => this.driveIfWon(runId, claim));
    const later = claims.filter(isForLater).map(({ attempt_id }) => attempt_id);
    if (later.length > 0) driven.push(this.claimAndDrive(runId, later));
    await allOf(driven);
  }

  private async driveIfWon(runId: string, claim: Claim): Promise<void> {
    if (claim.claimed) await this.drive(runId, claim);
    else this.logger.debug({ attempt_id: claim.attempt_id, reason: claim.reason }, 'attempt was not claimed');
  }

  private async drive(runId: string, { attempt_id, delivery, plan }: Claimed): Promise<void> {
    const holding = { attempt_id, delivery, executor_id: this.machine.executorId };
    const work = this.live.begin(runId);
    try {
      await this.deliveries.drive({ plan: documentOf('agentclash.attempt-plan/1', plan), holding, work });
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
