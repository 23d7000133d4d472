import { Handles, type Serves } from '@agentclash/bus';
import { type In, runs } from '@agentclash/contracts';
import { RunDeletions } from './deletion/run-deletions.service.js';
import { StorageLoop } from './deletion/storage.loop.js';
import { RunCommands } from './run-commands.service.js';
import { RunsService } from './runs.service.js';

@Handles(runs)
export class RunsHandlers implements Serves<typeof runs> {
  constructor(
    private readonly service: RunsService,
    private readonly commands: RunCommands,
    private readonly deletions: RunDeletions,
    private readonly loop: StorageLoop,
  ) {}

  create(request: In<typeof runs.create>) {
    return this.service.create(request);
  }

  list(request: In<typeof runs.list>) {
    return this.service.list(request);
  }

  trends(request: In<typeof runs.trends>) {
    return this.service.trends(request);
  }

  search(request: In<typeof runs.search>) {
    return this.service.search(request);
  }

  findIds(request: In<typeof runs.findIds>) {
    return this.service.findIds(request);
  }

  get(request: In<typeof runs.get>) {
    return this.service.get(request);
  }

  agent(request: In<typeof runs.agent>) {
    return this.service.agent(request);
  }

  agents(request: In<typeof runs.agents>) {
    return this.service.agents(request);
  }

  attempts(request: In<typeof runs.attempts>) {
    return this.service.attempts(request);
  }

  edit(request: In<typeof runs.edit>) {
    return this.commands.edit(request);
  }

  cancel(request: In<typeof runs.cancel>) {
    return this.commands.cancel(request);
  }

  pause(request: In<typeof runs.pause>) {
    return this.commands.pause(request);
  }

  resume(request: In<typeof runs.resume>) {
    return this.commands.resume(request);
  }

  retry(request: In<typeof runs.retry>) {
    return this.commands.retry(request);
  }

  async remove(request: In<typeof runs.remove>) {
    await this.deletions.remove(request);
    this.loop.wake();
    return {};
  }

  events(request: In<typeof runs.events>) {
    return this.service.events(request);
  }
}
