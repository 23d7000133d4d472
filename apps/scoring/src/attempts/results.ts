import { Bus } from '@agentclash/bus';
import { type AttemptScored, scoringEvents } from '@agentclash/contracts';
import { sha256Of } from '@agentclash/run-scoring';
import { Batcher } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { type NewAttemptScorecard, ScorecardsStore } from '../store/scorecards.store.js';

/** A scorecard to store, and the score to publish. */
export interface Result {
  card: NewAttemptScorecard;
  /** The graded delivery. */
  delivery: number;
  score: Pick<
    AttemptScored,
    | 'overall'
    | 'passed'
    | 'validity'
    | 'lacks_evidence'
    | 'pack_error'
    | 'failure'
    | 'metrics'
    | 'started_at'
    | 'ended_at'
  >;
}

const CARDS_MAX = 64;

/** Stores scorecards and publishes their scores, in batches of one transaction and one message. */
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

  /** Atomic: a run is never complete with only some of the attempts that were ranked among each other. */
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
