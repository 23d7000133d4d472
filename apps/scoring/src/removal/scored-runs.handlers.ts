import { Handles, type Serves } from '@agentclash/bus';
import { type In, scoredRuns } from '@agentclash/contracts';
import { RemovedRuns } from './removed-runs.store.js';

@Handles(scoredRuns)
export class ScoredRunsHandlers implements Serves<typeof scoredRuns> {
  constructor(private readonly removed: RemovedRuns) {}

  async release(request: In<typeof scoredRuns.release>) {
    await this.removed.release(request);
    return {};
  }

  async purge(request: In<typeof scoredRuns.purge>) {
    return { rows: await this.removed.purge(request) };
  }
}
