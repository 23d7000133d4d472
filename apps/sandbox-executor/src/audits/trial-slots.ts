import { Inject, Injectable } from '@nestjs/common';
import { LiveAttempts } from '../attempts/capacity/live-attempts.js';
import { Semaphore } from '../attempts/capacity/semaphore.js';
import { MACHINE, type Machine } from '../machine/machine.js';

/** One in so many sandboxes of this executor may belong to an audit. */
const ATTEMPTS_PER_TRIAL = 4;

/** Turns of the trials of all audits. A trial takes the permit of an attempt, so that the machine is never overloaded. */
@Injectable()
export class TrialSlots {
  readonly most: number;
  private readonly slots: Semaphore;

  constructor(
    private readonly live: LiveAttempts,
    @Inject(MACHINE) { attemptsMax }: Pick<Machine, 'attemptsMax'>,
  ) {
    this.most = Math.max(1, Math.floor(attemptsMax / ATTEMPTS_PER_TRIAL));
    this.slots = new Semaphore(this.most);
  }

  /** In the order of requests, whatever audit they are of. An aborted signal ends the wait. */
  readonly take = async (signal: AbortSignal): Promise<() => void> => {
    const endTurn = await this.slots.acquire({ signal });
    const endPermit = await this.live.permits.acquire({ signal });
    return () => {
      endPermit();
      endTurn();
    };
  };
}
