import { Handles, type Serves } from '@agentclash/bus';
import { type In, runs } from '@agentclash/contracts';
import { RunDeletions } from './deletion/run-deletions.service.js';
import { StorageLoop } from './deletion/storage.loop.js';
import { RunOrders } from './run-orders.service.js';
import { RunsService } from './runs.service.js';
import { IdsStore } from './store/ids.store.js';

@Handles(runs)
export class RunsHandlers implements Serves<typeof runs> {
  constructor(
    private readonly service: RunsService,
    private readonly orders: RunOrders,
    private readonly ids: IdsStore,
    private readonly deletions: RunDeletions,
    private readonly loop: StorageLoop,
  ) {}

  create(ask: In<typeof runs.create>) {
    return this.service.create(ask);
  }

  list(ask: In<typeof runs.list>) {
    return this.service.list(ask);
  }

  findIds(request: In<typeof runs.findIds>) {
    return this.ids.find(request);
  }

  get(ask: In<typeof runs.get>) {
    return this.service.get(ask);
  }

  agent(ask: In<typeof runs.agent>) {
    return this.service.agent(ask);
  }

  agents(ask: In<typeof runs.agents>) {
    return this.service.agents(ask);
  }

  attempts(ask: In<typeof runs.attempts>) {
    return this.service.attempts(ask);
  }

  cancel(ask: In<typeof runs.cancel>) {
    return this.orders.cancel(ask);
  }

  pause(ask: In<typeof runs.pause>) {
    return this.orders.pause(ask);
  }

  resume(ask: In<typeof runs.resume>) {
    return this.orders.resume(ask);
  }

  retry(ask: In<typeof runs.retry>) {
    return this.orders.retry(ask);
  }

  async remove(request: In<typeof runs.remove>) {
    await this.deletions.remove(request);
    this.loop.wake();
    return {};
  }

  events(ask: In<typeof runs.events>) {
    return this.service.events(ask);
  }
}
