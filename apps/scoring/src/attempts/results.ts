import { Bus } from '@agentclash/bus';
import { type AttemptScored, scoringEvents } from '@agentclash/contracts';
import { Batcher } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { sha256Of } from '../scorecards/hash.js';
import { type NewAttemptScorecard, ScorecardsStore } from '../scorecards/scorecards.store.js';

/** A scorecard to be kept, and what is to be said of it. */
export interface Result {
  card: NewAttemptScorecard;
  /** The delivery that was judged. */
  delivery: number;
  score: Pick<
    AttemptScored,
    'overall' | 'passed' | 'validity' | 'pack_error' | 'failure' | 'metrics' | 'started_at' | 'ended_at'
  >;
}

const CARDS_MAX = 64;

/** Keeps scorecards and tells of them: many that come at about the same time in one transaction and one message. */
@Injectable()
export class Results {
  private readonly kept = new Batcher<NewAttemptScorecard, number>((cards) => this.store.addAttempts(cards), {
    itemsMax: CARDS_MAX,
  });
  private readonly published = new Batcher<Result & { revision: number }, undefined>(
    (results) => this.publish(results),
    {
      keyOf: ({ card }) => card.runId,
      itemsMax: CARDS_MAX,
    },
  );

  constructor(
    private readonly store: ScorecardsStore,
    private readonly bus: Bus,
  ) {}

  async keep(result: Result): Promise<void> {
    const revision = await this.kept.add(result.card);
    await this.published.add({ ...result, revision });
  }

  /** All or none of them: nobody may take a run for scored by some of those that were ranked among each other. */
  async keepTogether(results: readonly Result[]): Promise<void> {
    const revisions = await this.store.addAttempts(results.map(({ card }) => card));
    await this.publish(
      results.flatMap((result, index) => {
        const revision = revisions[index];
        return revision === undefined ? [] : [{ ...result, revision }];
      }),
    );
  }

  private async publish(results: readonly (Result & { revision: number })[]): Promise<undefined[]> {
    const [first] = results;
    if (first === undefined) return [];
    const { workspaceId: workspace_id, runId: run_id } = first.card;
    const items = results.map(({ card, delivery, score, revision }) => ({
      run_agent_id: card.runAgentId,
      attempt_id: card.attemptId,
      delivery,
      revision,
      rescore_id: card.rescoreId,
      ...score,
    }));
    const name = sha256Of(
      results.map(({ card, revision, delivery }) => [card.attemptId, revision, delivery]),
    );
    await this.bus.publish(
      scoringEvents.attemptsScored,
      { workspace_id, run_id, items },
      `attempts-scored:${name}`,
    );
    return results.map(() => undefined);
  }
}
