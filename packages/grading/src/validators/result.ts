import type { EvidencePointer } from '../evidence/pointer.js';
import type { Compared } from './compared.js';
import type { ReportMetrics } from './reports.js';

export type { EvidencePointer };

type ValidatorState = 'scored' | 'unavailable' | 'error';
type ValidatorVerdict = 'pass' | 'fail';
export type ValidatorOutcome =
  | 'agent_pass'
  | 'agent_fail'
  | 'evidence_missing'
  | 'infra_error'
  | 'pack_error'
  | 'evaluator_error';

/** The result of one validator about one attempt. `reason` is a code, null on an ordinary pass. */
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
  /** The reason that a script or a harness gave, in its words. */
  readonly detail?: string;
  /** The metrics of its report, which dimensions of source `report` read. */
  readonly metrics?: ReportMetrics;
  /** Why its report has no metrics, where it could have some. */
  readonly metrics_reason?: string;
  /** The expected and the actual value of a graded attempt that the validator did not pass. */
  readonly compared?: Compared;
}
