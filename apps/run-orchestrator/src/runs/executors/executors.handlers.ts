import { Handles, type Serves } from '@agentclash/bus';
import { executors, type In } from '@agentclash/contracts';
import { Executors } from './executors.service.js';

@Handles(executors)
export class ExecutorsHandlers implements Serves<typeof executors> {
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
}
