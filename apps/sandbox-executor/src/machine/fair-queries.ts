import { QUERIES_MAX, type QueryTurns } from '@agentclash/engine';
import { FairLimiter } from '@agentclash/service-kit';
import { excludingWaits } from './excluded-wait.js';

const WAITING_MAX = 10_000;

/** Gives the queries of agents their turns, fair between workspaces; waiting is not the attempt's time. */
export class FairQueries {
  private readonly turns = new FairLimiter({ atOnce: QUERIES_MAX, waitingMax: WAITING_MAX });

  of(tenant: string): QueryTurns {
    return {
      take: (work, { signal, exclude }) =>
        excludingWaits(exclude, (waits) => this.turns.take({ tenant, signal, ...waits }, work)),
    };
  }
}
