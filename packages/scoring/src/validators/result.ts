export type ValidatorState = 'scored' | 'unavailable' | 'error';
export type ValidatorVerdict = 'pass' | 'fail';
export type ValidatorOutcome =
  | 'agent_pass'
  | 'agent_fail'
  | 'evidence_missing'
  | 'infra_error'
  | 'pack_error'
  | 'evaluator_error';

/** Where the judged evidence stands in the attempt's events. */
export interface EvidencePointer {
  readonly from_sequence: number;
  readonly to_sequence: number;
  /** The key of the post-execution check that captured it. */
  readonly artifact?: string;
  /** For code_execution, where the counts came from: report, printed or exit_code. */
  readonly kind?: string;
}

/** What one validator says about one attempt. `reason` is a code, null on an ordinary pass. */
export interface ValidatorResult {
  readonly key: string;
  readonly type: string;
  readonly state: ValidatorState;
  readonly verdict: ValidatorVerdict | null;
  /** 0..1, null unless scored. */
  readonly score: number | null;
  readonly reason: string | null;
  readonly outcome: ValidatorOutcome;
  readonly evidence: EvidencePointer | null;
}
