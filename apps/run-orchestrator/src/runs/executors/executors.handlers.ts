import { Handles, type Serves } from '@agentclash/bus';
import { executors, fleet, type In } from '@agentclash/contracts';
import { Executors } from './executors.service.js';

@Handles(executors)
@Handles(fleet)
export class ExecutorsHandlers implements Serves<typeof executors>, Serves<typeof fleet> {
  constructor(private readonly service: Executors) {}

  async report(report: In<typeof executors.report>) {
    await this.service.report(report);
    return {};
  }

  async renew({ executor_id }: In<typeof executors.renew>) {
    return { is_known: await this.service.renew(executor_id) };
  }

  async leave({ executor_id }: In<typeof executors.leave>) {
    await this.service.leave(executor_id);
    return {};
  }

  async list() {
    return { items: await this.service.registered() };
  }
}
