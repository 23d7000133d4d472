import type { JudgeKind } from '@agentclash/challengepack';
import type { OrderFlips } from '../judges/n-wise.js';
import type { JudgeSample } from '../judges/types.js';
import type { RaterAgreement } from './cohen-kappa.js';

/** The preference of one rater between the two attempts of an item. */
export type Choice = 'first' | 'second' | 'tie';
export type PassLabel = 'pass' | 'fail';
export type Side = 'left' | 'right';

export interface PairReview {
  readonly item_id: string;
  readonly rater: string;
  readonly choice: Choice;
  /** The side on which this rater saw the first attempt. */
  readonly first_shown: Side;
}

export interface SingleReview {
  readonly item_id: string;
  readonly rater: string;
  readonly label: PassLabel;
  /** By criterion, on its own scale; of an assertion 1 where it holds and 0 where it does not. */
  readonly scores: Readonly<Record<string, number>>;
}

/** A judge of the evaluation spec, as people are compared with it. */
export interface ReviewedJudge {
  readonly key: string;
  readonly mode: JudgeKind;
  /** From this score (0..1) on the judge passes an attempt. */
  readonly threshold: number;
  readonly score_scale: { readonly min: number; readonly max: number };
  /** Of an assertion: the reply that passes. */
  readonly expect: boolean;
}

/** The result of one judge about one attempt; samples of other modes than n_wise are not needed. */
export interface JudgedAttempt {
  readonly key: string;
  readonly score: number | null;
  readonly samples: readonly Pick<JudgeSample, 'model' | 'index' | 'ranking'>[];
}

export interface RaterPair extends RaterAgreement {
  readonly raters: readonly [string, string];
}

export interface CriterionAgreement {
  readonly key: string;
  /** Krippendorff's α over the raters' scores. */
  readonly ordinal: number | null;
  readonly interval: number | null;
}

/** Agreement of people with each other. */
export interface PeopleAgreement {
  /** Krippendorff's α (nominal) over labels or votes. */
  readonly alpha: number | null;
  readonly criteria: readonly CriterionAgreement[];
  /** Every two raters with a common item. */
  readonly pairs: readonly RaterPair[];
  /** Of votes that are no tie: how many chose the left side. 0.5 is expected; null of single outputs. */
  readonly left: { readonly votes: number; readonly share: number | null } | null;
  /** Of raters that saw a pair twice, in both orders; null of single outputs. */
  readonly flips: OrderFlips | null;
}

/** Agreement of a judge with the majority of people. Passing is the positive class. */
export interface JudgeAgreement {
  readonly key: string;
  readonly mode: JudgeKind;
  /** Items that people and the judge both decided. */
  readonly items: number;
  /** Items without a majority of people, or that the judge scored alike. */
  readonly undecided: number;
  readonly accuracy: number | null;
  /** Of what people pass, the share that the judge passes; null for pairs and without such items. */
  readonly tpr: number | null;
  /** Of what people fail, the share that the judge fails; null for pairs and without such items. */
  readonly tnr: number | null;
  /** Of a judge that ranks, over samples that show the outputs in opposite orders; else null. */
  readonly flips: OrderFlips | null;
}

export interface ReviewAgreement {
  readonly people: PeopleAgreement;
  readonly judges: readonly JudgeAgreement[];
}
