import { Handles, type Serves } from '@agentclash/bus';
import { execution, type In } from '@agentclash/contracts';
import { AttemptsService } from './attempts.service.js';

@Handles(execution)
export class AttemptsHandlers implements Serves<typeof execution> {
  constructor(private readonly attempts: AttemptsService) {}

  execute(job: In<typeof execution.execute>) {
    return this.attempts.execute(job);
  }

  prompt(job: In<typeof execution.prompt>) {
    return this.attempts.prompt(job);
  }
}
