import { OUTCOMES } from '@agentclash/domain';
import { z } from 'zod';
import { rpc } from './message.js';
import { Rescore } from './scorecards.js';
import { Actor, PageQuery, PlainText, page, Timestamp, Uuid } from './values.js';

/** Items of one queue. */
export const REVIEW_ITEMS_MAX = 1_000;
/** People with reviews in one queue. */
export const REVIEW_RATERS_MAX = 50;
/** Characters of a task, an expected value or an output in one reply; the rest of an output is read by offset. */
export const REVIEW_TEXT_MAX = 32_768;

/** `pairwise`: which of two outputs is better. `single`: whether one output passes, with a score for each criterion. */
export const REVIEW_KINDS = ['pairwise', 'single'] as const;
export const REVIEW_VOTES = ['left', 'right', 'tie'] as const;
export const REVIEW_LABELS = ['pass', 'fail'] as const;
const kind = z.enum(REVIEW_KINDS);
const vote = z.enum(REVIEW_VOTES);
const label = z.enum(REVIEW_LABELS);
/** By the key of the criterion, on its own scale. */
const scores = z.record(z.string().max(128), z.number());

const inWorkspace = { workspace_id: Uuid };
const ofQueue = z.object({ ...inWorkspace, review_queue_id: Uuid });
const ofItem = ofQueue.extend({ item_id: Uuid });

export const ReviewQueueRequest = z.strictObject({
  /** It must have ended. */
  run_id: Uuid,
  kind,
  name: PlainText.min(1).max(200).optional(),
  /** Pairs or outputs to review; more are drawn by the seed. */
  items_max: z.number().int().min(1).max(REVIEW_ITEMS_MAX).default(100),
  /** The share of pairs that each person sees twice, in both orders: how often the order decides a vote. */
  repeat_share: z.number().min(0).max(1).default(0.1),
  /** Decides which items are drawn, and their order for each person; default: a new one. */
  seed: z.number().int().min(0).max(2_147_483_647).optional(),
});
export type ReviewQueueRequest = z.infer<typeof ReviewQueueRequest>;

const Rater = z.object({ rater: z.string(), reviewed: z.number().int() });

/** Outputs of one run that people review without knowing which agent gave them. */
export const ReviewQueue = z.object({
  id: Uuid,
  run_id: Uuid,
  kind: z.string(),
  name: z.string().nullable(),
  seed: z.number().int(),
  items: z.number().int(),
  created_at: Timestamp,
  created_by: z.string(),
  /** The people with a review in it, and how many items each has reviewed. */
  raters: z.array(Rater),
});
export type ReviewQueue = z.infer<typeof ReviewQueue>;

/** A criterion for outputs, from a judge of the pack. */
const ReviewCriterion = z.object({
  /** Of the judge. */
  key: z.string(),
  mode: z.string(),
  /** The judge's rubric, assertion or prompt. */
  text: z.string(),
  min: z.number(),
  max: z.number(),
});
export type ReviewCriterion = z.infer<typeof ReviewCriterion>;

const ReviewText = z.object({ key: z.string(), text: z.string(), is_cut: z.boolean() });

export const ReviewOutput = z.object({
  /** The final output from `offset` on, as far as it fits; null when the agent gave none. */
  text: z.string().nullable(),
  /** Characters of the whole output. */
  length: z.number().int(),
  /** Where to read on; null at the end. */
  next_offset: z.number().int().nullable(),
  outcome: z.enum(OUTCOMES),
});
export type ReviewOutput = z.infer<typeof ReviewOutput>;

/** The review of the requester, as it counts now. */
const OwnReview = z.object({
  vote: vote.nullable(),
  label: label.nullable(),
  scores,
  note: z.string().nullable(),
  reviewed_at: Timestamp,
});
export type OwnReview = z.infer<typeof OwnReview>;

/** One item as its rater sees it: no agent, no model, no run, and nothing from which they could be found. */
export const ReviewItem = z.object({
  id: Uuid,
  kind: z.string(),
  /** Returned with the review: of the outputs that were shown. */
  version: z.string(),
  task: z.object({ title: z.string(), instructions: z.string(), is_cut: z.boolean() }),
  /** The inputs of the case, and what it expects. */
  inputs: z.array(ReviewText),
  expected: z.array(ReviewText),
  criteria: z.array(ReviewCriterion),
  /** One, or the left and the right one. */
  outputs: z.array(ReviewOutput).min(1).max(2),
  review: OwnReview.nullable(),
});
export type ReviewItem = z.infer<typeof ReviewItem>;

/** How far the requester is. */
const ReviewProgress = z.object({ reviewed: z.number().int(), items: z.number().int() });

export const NextReviewItem = ReviewProgress.extend({
  /** Null when nothing is left after the given item. */
  item: ReviewItem.nullable(),
});
export type NextReviewItem = z.infer<typeof NextReviewItem>;

/** A review of one item. A repeated one is stored once; another one replaces it. */
export const ReviewSpec = z.strictObject({
  /** As the item had it. */
  version: z.string().min(1).max(64),
  /** Of a pair. */
  vote: vote.optional(),
  /** Of a single output. */
  label: label.optional(),
  /** Of a single output; 1 or 0 for an assertion that holds or does not. */
  scores: scores.optional(),
  note: z
    .string()
    .max(4_000)
    // Postgres text cannot hold U+0000, and its JSON no half of a surrogate pair.
    .regex(/^[^\0\p{Cs}]*$/u, 'must not hold U+0000 or half of a surrogate pair')
    .optional(),
});
export type ReviewSpec = z.infer<typeof ReviewSpec>;

/** One stored review with all that its rater did not see. */
export const Review = z.object({
  item_id: Uuid,
  case_key: z.string(),
  repetition: z.number().int(),
  rater: z.string(),
  /** One, or two for a pair: the first is the one that was shown on the left. */
  outputs: z.array(z.object({ attempt_id: Uuid, agent: z.string(), delivery: z.number().int() })),
  vote: vote.nullable(),
  /** The agent of the preferred output; null for a tie and for single outputs. */
  preferred: z.string().nullable(),
  label: label.nullable(),
  scores,
  note: z.string().nullable(),
  /** The item repeats another one in the other order. */
  is_repeat: z.boolean(),
  /** Withdrawn by its rater. */
  is_withdrawn: z.boolean(),
  /** The newest of its rater for the item. */
  is_newest: z.boolean(),
  reviewed_at: Timestamp,
});
export type Review = z.infer<typeof Review>;

const share = z.number().nullable();
const OrderFlips = z.object({ pairs: z.number().int(), flipped: z.number().int() });

export const ReviewAgreement = z.object({
  review_queue_id: Uuid,
  kind: z.string(),
  items: z.number().int(),
  /** Items with a review, and reviews that count. */
  reviewed_items: z.number().int(),
  reviews: z.number().int(),
  people: z.object({
    /** Krippendorff's α (nominal) over labels or votes; null where nothing varies. */
    alpha: share,
    /** α over the scores of each criterion. */
    criteria: z.array(z.object({ key: z.string(), ordinal: share, interval: share })),
    /** Cohen's κ of every two raters with a common item. */
    pairs: z.array(
      z.object({
        raters: z.tuple([z.string(), z.string()]),
        items: z.number().int(),
        agreement: share,
        kappa: share,
      }),
    ),
    /** Votes that are no tie, and the share of them that chose the left side. */
    left: z.object({ votes: z.number().int(), share }).nullable(),
    /** Votes of one person on the same pair in both orders, and how many of them differ. */
    flips: OrderFlips.nullable(),
  }),
  judges: z.array(
    z.object({
      key: z.string(),
      mode: z.string(),
      /** Items that the majority of people and the judge both decided, and those that one of them left open. */
      items: z.number().int(),
      undecided: z.number().int(),
      accuracy: share,
      /** Of what people pass, or fail, the share that the judge does too; null for pairs. */
      tpr: share,
      tnr: share,
      /** Of a judge that ranks: its samples that saw the outputs in both orders. */
      flips: OrderFlips.nullable(),
    }),
  ),
  /** Wins over votes of each agent of the run, a tie as half a win; empty for single outputs. */
  preferences: z.array(
    z.object({ run_agent_id: Uuid, agent: z.string(), wins: z.number(), votes: z.number().int() }),
  ),
  /** The pack has a dimension of source human_preference, so that the votes can be applied. */
  can_apply: z.boolean(),
});
export type ReviewAgreement = z.infer<typeof ReviewAgreement>;

/** Review of outputs by people, blind to the agents. The requester is the rater. */
export const reviews = {
  /**
   * Draws the items. Fails with `conflict` while the run has not ended and where it has nothing to review, and with
   * `not_found` for a deleted run.
   */
  create: rpc('reviews.v1.create', {
    input: z.object({ ...inWorkspace, request: ReviewQueueRequest, actor: Actor }),
    output: ReviewQueue,
  }),
  /** Newest first. */
  list: rpc('reviews.v1.list', {
    input: PageQuery.extend({ ...inWorkspace, run_id: Uuid.optional() }),
    output: page(ReviewQueue),
  }),
  get: rpc('reviews.v1.get', { input: ofQueue, output: ReviewQueue }),
  /** The first item after the given one, in the requester's order, that the requester has not reviewed. */
  next: rpc('reviews.v1.next', {
    input: ofQueue.extend({ after: Uuid.optional(), actor: Actor }),
    output: NextReviewItem,
  }),
  item: rpc('reviews.v1.item', { input: ofItem.extend({ actor: Actor }), output: ReviewItem }),
  /** More of one output, by its number from 0 as shown to the requester. */
  output: rpc('reviews.v1.output', {
    input: ofItem.extend({
      output: z.number().int().min(0).max(1),
      offset: z.number().int().min(0).default(0),
      actor: Actor,
    }),
    output: ReviewOutput,
  }),
  /**
   * Fails with `invalid_input` for a review that does not fit the item, and with `conflict` when an output is no longer
   * the one that was shown.
   */
  submit: rpc('reviews.v1.submit', {
    input: ofItem.extend({ spec: ReviewSpec, actor: Actor }),
    output: ReviewProgress.extend({ review: OwnReview }),
  }),
  /** The requester's review counts no longer; it stays in the history. */
  withdraw: rpc('reviews.v1.withdraw', { input: ofItem.extend({ actor: Actor }), output: z.object({}) }),
  /** Stored reviews with agents, oldest first; those that count, or with `history` all. */
  stored: rpc('reviews.v1.stored', {
    input: PageQuery.extend({ ...ofQueue.shape, history: z.boolean().default(false) }),
    output: page(Review),
  }),
  agreement: rpc('reviews.v1.agreement', { input: ofQueue, output: ReviewAgreement }),
  /**
   * Scores the run again with all votes on its outputs. Fails with `conflict` when the pack has no dimension for votes,
   * there is no vote, or the run is being scored.
   */
  apply: rpc('reviews.v1.apply', { input: ofQueue.extend({ actor: Actor }), output: Rescore }),
};
