import { Handles, type Serves } from '@agentclash/bus';
import { attempts, type In } from '@agentclash/contracts';
import { HumanTurnsService } from './commands/human-turns.service.js';
import { ManualPhasesService } from './commands/manual-phases.service.js';
import { AttemptsService } from './queries/attempts.service.js';

@Handles(attempts)
export class AttemptsHandlers implements Serves<typeof attempts> {
  constructor(
    private readonly service: AttemptsService,
    private readonly humanTurns: HumanTurnsService,
    private readonly phases: ManualPhasesService,
  ) {}

  get(request: In<typeof attempts.get>) {
    return this.service.get(request);
  }

  events(request: In<typeof attempts.events>) {
    return this.service.events(request);
  }

  answer(request: In<typeof attempts.answer>) {
    return this.humanTurns.answer(request);
  }

  requestPhase(request: In<typeof attempts.requestPhase>) {
    return this.phases.request(request);
  }
}
