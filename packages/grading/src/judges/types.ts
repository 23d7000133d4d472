/** Tokens a judge's reply cost; null where the provider reported none. */
export interface JudgeUsage {
  readonly input: number | null;
  readonly output: number | null;
}

export type SampleState = 'scored' | 'abstained' | 'error';

/** One reply requested of one model, kept whole so that its score can be traced. */
export interface JudgeSample {
  readonly model: string;
  /** Counts from 0 within the model. */
  readonly index: number;
  /** For n_wise: the agents in the order shown, as A, B, C…; null otherwise. */
  readonly order: readonly string[] | null;
  /** For n_wise: the agents best first, as the reply ranked them; null otherwise. */
  readonly ranking: readonly string[] | null;
  /** SHA-256 of the canonical messages. */
  readonly prompt_hash: string;
  readonly reply: string | null;
  readonly state: SampleState;
  /** A code; null when scored or abstained. */
  readonly reason: string | null;
  /** 0..1, null unless scored. For n_wise it is this attempt's share of the ranking. */
  readonly score: number | null;
  readonly usage: JudgeUsage | null;
  readonly cost_usd: number | null;
  readonly tries: number;
  readonly cached: boolean;
}

/** The samples of one judge about one attempt. */
export interface JudgeRecord {
  readonly judge_key: string;
  readonly samples: readonly JudgeSample[];
  /** Why no model could be called although the attempt's own texts were there, such as `too_few_agents`. */
  readonly unavailable?: string;
}

export type JudgeState = 'scored' | 'unavailable' | 'error';
export type JudgeConfidence = 'low' | 'single_model' | 'medium' | 'high';

/** The result of one judge about one attempt. */
export interface JudgeResult {
  readonly key: string;
  readonly mode: string;
  readonly state: JudgeState;
  /** 0..1, null unless scored. */
  readonly score: number | null;
  readonly reason: string | null;
  readonly confidence: JudgeConfidence | null;
  /** Population variance over the scored samples. */
  readonly variance: number | null;
  /** Scores by model, for agreement over a run; a model without a scored sample has null. */
  readonly model_scores: Readonly<Record<string, number | null>>;
  readonly planned: number;
  readonly scored: number;
  readonly abstained: number;
  readonly errored: number;
  /** Codes, sorted: `disagreement`, `position_sensitive`. */
  readonly warnings: readonly string[];
  readonly samples: readonly JudgeSample[];
}
