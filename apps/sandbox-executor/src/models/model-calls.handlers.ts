import { Handles, type Serves } from '@agentclash/bus';
import { type In, modelCalls } from '@agentclash/contracts';
import { ModelTests } from './model-tests.service.js';

@Handles(modelCalls)
export class ModelCallsHandlers implements Serves<typeof modelCalls> {
  constructor(private readonly tests: ModelTests) {}

  test(ask: In<typeof modelCalls.test>) {
    return this.tests.run(ask);
  }
}
