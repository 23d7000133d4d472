import { QUERIES_MAX, type QueryLimiter } from '@agentclash/engine';
import { FairLimiter } from '@agentclash/service-kit';
import { excludingWaits } from './excluded-wait.js';

const WAITING_MAX = 10_000;

/** Gives the queries of agents their turns, fair between workspaces; waiting is not the attempt's time. */
export class FairQueries {
  private readonly limiter = new FairLimiter({ atOnce: QUERIES_MAX, waitingMax: WAITING_MAX });

  of(tenant: string): QueryLimiter {
    return {
      run: (work, { signal, exclude }) =>
        excludingWaits(exclude, (waits) => this.limiter.take({ tenant, signal, ...waits }, work)),
    };
  }
}
