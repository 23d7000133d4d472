import { Handles, type Serves } from '@agentclash/bus';
import { ContractError, type In, type Out, races } from '@agentclash/contracts';
import { sha256Of } from '@agentclash/run-scoring';
import { ValueCache } from '@agentclash/service-kit';
import { ThreadPool, TooManyWaiting } from '@agentclash/threads';
import type { OnApplicationShutdown } from '@nestjs/common';

/** One thread: it keeps the state of races. A decision takes microseconds per case and pair, at most this CPU time. */
const LIMITS = { threads: 1, memoryMib: 256, timeoutMs: 20_000, waitingMax: 1_000 };

/** One thread of its own, so that no live race waits for a plan. The longest simulation takes about 3 s. */
const PLAN_LIMITS = { threads: 1, memoryMib: 128, timeoutMs: 15_000, waitingMax: 4 };
const PLANS_MAX = 500;

/** Decides on sequential races, and plans them, off the thread of the service. */
@Handles(races)
export class RacesService implements Serves<typeof races>, OnApplicationShutdown {
  private readonly pool = new ThreadPool(new URL(import.meta.resolve('#race-thread')), LIMITS);
  private readonly planners = new ThreadPool(new URL(import.meta.resolve('#race-plan-thread')), PLAN_LIMITS);
  private readonly plans = new ValueCache<Out<typeof races.plan>>(PLANS_MAX);

  async decide(request: In<typeof races.decide>): Promise<Out<typeof races.decide>> {
    return (await this.pool.run({ task: request, tenant: request.run_id })) as Out<typeof races.decide>;
  }

  async plan({ workspace_id, ...task }: In<typeof races.plan>): Promise<Out<typeof races.plan>> {
    return await this.plans.get(sha256Of(task), async () => {
      try {
        return (await this.planners.run({ task, tenant: workspace_id })) as Out<typeof races.plan>;
      } catch (error) {
        if (!(error instanceof TooManyWaiting)) throw error;
        throw new ContractError('unavailable', 'Too many races are being planned. Try again shortly.');
      }
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool.stop(), this.planners.stop()]);
  }
}
