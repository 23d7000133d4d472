import { Handles, type Serves } from '@agentclash/bus';
import { type In, type Out, races } from '@agentclash/contracts';
import { ThreadPool } from '@agentclash/service-kit';
import type { OnApplicationShutdown } from '@nestjs/common';

/** One thread: it keeps the state of races. A decision takes microseconds per case and pair, at most this CPU time. */
const LIMITS = { threads: 1, memoryMib: 256, timeoutMs: 20_000, waitingMax: 1_000 };

/** Decides on sequential races, off the thread of the service. */
@Handles(races)
export class RacesService implements Serves<typeof races>, OnApplicationShutdown {
  private readonly pool = new ThreadPool(new URL(import.meta.resolve('#race-thread')), LIMITS);

  async decide(request: In<typeof races.decide>): Promise<Out<typeof races.decide>> {
    return (await this.pool.run({ task: request, tenant: request.run_id })) as Out<typeof races.decide>;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.stop();
  }
}
