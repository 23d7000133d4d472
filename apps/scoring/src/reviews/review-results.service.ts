import {
  ContractError,
  type In,
  type Out,
  type Rescore,
  type Review,
  type ReviewAgreement,
  type ReviewSpec,
  type reviews,
} from '@agentclash/contracts';
import { pairAgreement, type ReviewedJudge, singleAgreement } from '@agentclash/grading';
import { type Contract } from '@agentclash/run-scoring';
import { decodePositionCursor, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { EvidenceSource, hasVotes } from '../evidence/evidence.source.js';
import { RescoreRequests } from '../rescoring/rescore-requests.service.js';
import { RunsSource } from '../runs/runs.source.js';
import { criteriaOf } from './blind-item.js';
import { checkReview } from './read-review.js';
import { ReviewQueuesStore, type StoredQueue } from './review-queues.store.js';
import { asReview, pairReviews, preferences, singleReviews } from './review-rows.js';
import { type ListedReview, ReviewsStore } from './reviews.store.js';

const PAGE = 1_000;
/** A judge without a dimension with a pass_threshold passes from the middle of its scale on. */
const THRESHOLD = 0.5;

/** The results of reviews: agreement, lists with agents, and votes as scores. */
@Injectable()
export class ReviewResults {
  constructor(
    private readonly queues: ReviewQueuesStore,
    private readonly store: ReviewsStore,
    private readonly source: EvidenceSource,
    private readonly runs: RunsSource,
    private readonly rescores: RescoreRequests,
  ) {}

  /** Fails with `invalid_input` for a review that does not fit items of the queue. */
  async check(queue: StoredQueue, review: ReviewSpec): Promise<void> {
    checkReview(queue.kind, criteriaOf(await this.contract(queue), queue.kind), review);
  }

  async stored(
    queue: StoredQueue,
    { limit, cursor, history }: In<typeof reviews.stored>,
  ): Promise<Out<typeof reviews.stored>> {
    const after = BigInt(decodePositionCursor(cursor) ?? 0);
    const rows = await this.store.list({ queueId: queue.id, history, after, take: limit + 1 });
    const names = await this.agentNames(queue);
    return pageOf<ListedReview, Review>(rows, limit, {
      item: (row) => asReview(row, names),
      sortKey: ({ sequence }) => String(sequence),
    });
  }

  async agreement(queue: StoredQueue): Promise<ReviewAgreement> {
    const [contract, items, counted, names] = await Promise.all([
      this.contract(queue),
      this.queues.items(queue.id),
      this.counted(queue),
      this.agentNames(queue),
    ]);
    const attemptIds = items.flatMap(({ firstAttemptId: first, secondAttemptId: second }) =>
      second === null ? [first] : [first, second],
    );
    const judged = await this.store.judged([...new Set(attemptIds)]);
    const judgedOf = (id: string | null) => judged.get(id ?? '') ?? [];
    const judges = reviewedJudges(contract);
    const isPairwise = queue.kind === 'pairwise';
    const { people, judges: judgeAgreements } = isPairwise
      ? pairAgreement(
          judges,
          items.map((item) => ({
            ...{ id: item.id, repeats: item.repeats },
            round: JSON.stringify([item.caseKey, item.repetition]),
            ...{ first: judgedOf(item.firstAttemptId), second: judgedOf(item.secondAttemptId) },
          })),
          pairReviews(counted),
        )
      : singleAgreement(
          judges,
          items.map(({ id, firstAttemptId }) => ({ id, judges: judgedOf(firstAttemptId) })),
          singleReviews(counted),
        );
    return {
      ...{ review_queue_id: queue.id, kind: queue.kind, items: queue.items },
      reviewed_items: new Set(counted.map(({ itemId }) => itemId)).size,
      reviews: counted.length,
      people: {
        ...people,
        criteria: [...people.criteria],
        pairs: people.pairs.map(({ raters: [one, other], ...pair }) => ({ ...pair, raters: [one, other] })),
      },
      judges: [...judgeAgreements],
      preferences: isPairwise ? preferences(counted, names) : [],
      can_apply: isPairwise && hasVotes(contract.spec),
    };
  }

  /** A rescore by the spec of the current ranking: votes are evidence, and a score with them is a next revision. */
  async apply(
    { workspaceId: workspace_id, runId: run_id, ...queue }: StoredQueue,
    actor: string,
  ): Promise<Rescore> {
    const refuse = (why: string) => new ContractError('conflict', why);
    if (queue.kind !== 'pairwise') {
      throw refuse('Reviews of single outputs are compared with judges, and change no score.');
    }
    const { spec, evaluation_spec_id } = await this.rescores.currentSpec(workspace_id, run_id);
    if (!hasVotes(spec)) {
      throw refuse(
        'The pack has no dimension of source human_preference: votes change no score. Add one, publish the version, and score the run by its spec: agentclash run rescore',
      );
    }
    const voted = await this.store.list({ queueId: queue.id, history: false, after: 0n, take: 1 });
    if (voted.length === 0) throw refuse('The queue has no vote to apply yet.');
    return await this.rescores.begin({ workspace_id, run_id, evaluation_spec_id, actor });
  }

  private async contract({ workspaceId, challengePackVersionId }: StoredQueue): Promise<Contract> {
    return await this.source.contract(workspaceId, challengePackVersionId);
  }

  /** The names of the run's agents, by id. */
  private async agentNames({ workspaceId, runId }: StoredQueue): Promise<ReadonlyMap<string, string>> {
    const { agents } = await this.runs.get(workspaceId, runId);
    return new Map(agents.map(({ id, name }) => [id, name]));
  }

  /** All reviews of the queue that count. */
  private async counted({ id: queueId }: StoredQueue): Promise<ListedReview[]> {
    const counted: ListedReview[] = [];
    for (;;) {
      const after = counted.at(-1)?.sequence ?? 0n;
      const page = await this.store.list({ queueId, history: false, after, take: PAGE });
      counted.push(...page);
      if (page.length < PAGE) return counted;
    }
  }
}

function reviewedJudges({ spec }: Contract): ReviewedJudge[] {
  const dimensionOf = (judge: string) =>
    spec.scorecard.dimensions.find(({ source, judge_key }) => source === 'llm_judge' && judge_key === judge);
  return spec.llm_judges.map(({ key, mode, score_scale, expect }) => ({
    ...{ key, mode, score_scale, expect },
    threshold: dimensionOf(key)?.pass_threshold ?? THRESHOLD,
  }));
}
