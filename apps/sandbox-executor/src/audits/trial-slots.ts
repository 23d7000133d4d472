import type { TrialPorts } from '@agentclash/pack-audit';
import { FairLimiter } from '@agentclash/threads';
import { Inject, Injectable } from '@nestjs/common';
import { LiveAttempts } from '../attempts/capacity/live-attempts.js';
import { MACHINE, type Machine } from '../machine/machine.js';

/** One in so many sandboxes of this executor may belong to an audit. */
const ATTEMPTS_PER_TRIAL = 4;
/** An audit has no more trials in its queue than it runs at once. */
const WAITING_MAX = 10_000;

/**
 * Turns of the trials of all audits, in rotation between workspaces. A trial takes the permit of an attempt, so that the
 * machine is never overloaded.
 */
@Injectable()
export class TrialSlots {
  readonly most: number;
  private readonly turns: FairLimiter;

  constructor(
    @Inject(LiveAttempts) private readonly live: Pick<LiveAttempts, 'permits'>,
    @Inject(MACHINE) { attemptsMax }: Pick<Machine, 'attemptsMax'>,
  ) {
    this.most = Math.max(1, Math.floor(attemptsMax / ATTEMPTS_PER_TRIAL));
    // A trial is bounded in time: one workspace may use all turns while no other has a trial.
    this.turns = new FairLimiter({ atOnce: this.most, tenantMax: this.most, waitingMax: WAITING_MAX });
  }

  /** Resolves with what ends the turn. An aborted signal ends the wait with its reason. */
  of(tenant: string): NonNullable<TrialPorts['takeTrial']> {
    return async (signal) => {
      const turn = Promise.withResolvers<() => void>();
      const end = Promise.withResolvers<void>();
      this.turns
        .take({ tenant, signal }, async () => {
          const endPermit = await this.live.permits.acquire({ signal });
          turn.resolve(end.resolve);
          await end.promise;
          endPermit();
        })
        .catch(turn.reject);
      return await turn.promise;
    };
  }
}
