import { type In, runEvents, type scoringEvents } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../database.js';
import type { RunChange } from '../runs/run-change.js';
import { RunChanges } from '../runs/run-changes.service.js';
import { RunEnds } from '../runs/run-ends.js';
import { factOf } from '../runs/run-facts.js';
import { scoreChange } from './score-change.js';
import { ScoresStore } from './scores.store.js';

type Scored = In<typeof scoringEvents.attemptScored>;

@Injectable()
export class ScoresService {
  constructor(
    private readonly changes: RunChanges,
    private readonly store: ScoresStore,
    private readonly ends: RunEnds,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Keeps an attempt's score; the last one of a run asks for the run's. */
  async attemptScored(scored: Scored): Promise<void> {
    const { run_id, attempt_id: attemptId, failure } = scored;
    if (failure) this.logger.error({ attemptId, failure }, 'an attempt could not be scored');
    await this.changes.make(run_id, (change, tx) => this.keep(change, tx, scored));
  }

  async runScored({ run_id, ranking }: In<typeof scoringEvents.runScored>): Promise<void> {
    await this.changes.make(run_id, (change, tx) => this.ends.complete(change, tx, ranking));
  }

  private async keep(change: RunChange, tx: Transaction, scored: Scored): Promise<void> {
    const found = await this.store.findFinished(tx, scored);
    if (!found) return;
    const counts = scoreChange({ ...found, revision: found.scoreRevision }, scored);
    if (!counts) {
      await this.store.settle(tx, scored.attempt_id);
      return;
    }
    await this.store.write(tx, scored);
    change.count(found.runAgentId, counts);
    change.unscored -= counts.scored ?? 0;
    if (change.run.finishedAt === null) tell(change, scored, found);
    await this.ends.scoreIfComplete(change, tx);
  }
}

function tell(
  change: RunChange,
  scored: Scored,
  { caseKey, repetition }: { caseKey: string; repetition: number },
): void {
  const { run_agent_id, attempt_id, overall, passed, validity, revision } = scored;
  const attempt = { run_agent_id, attempt_id, case_key: caseKey, repetition };
  change.record({
    type: 'run.attempt_scored',
    payload: { attempt_id, overall, passed, validity },
    attempt,
  });
  const fact = { ...factOf(change), run_agent_id, attempt_id, overall, passed, validity };
  change.publish(runEvents.attemptScored, fact, `scored:${attempt_id}:${revision}`);
}
