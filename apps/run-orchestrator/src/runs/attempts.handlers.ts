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

  get(ask: In<typeof attempts.get>) {
    return this.service.get(ask);
  }

  events(ask: In<typeof attempts.events>) {
    return this.service.events(ask);
  }

  answer(ask: In<typeof attempts.answer>) {
    return this.humanTurns.answer(ask);
  }

  requestPhase(ask: In<typeof attempts.requestPhase>) {
    return this.phases.request(ask);
  }
}
