import type { Usage } from './model-call.js';
import type { FinishedBy, LimitKind, Outcome } from './outcome.js';

/** Bytes in the blob store, by lower-case hex sha256. */
export interface BlobRef {
  sha256: string;
  bytes: number;
}

/** The files of a workspace that could not be copied out; `reasons` are sorted and distinct. */
export interface SnapshotOmissions {
  count: number;
  reasons: string[];
  /** One path for each reason, in their order; long ones are cut. */
  examples?: string[];
}

/** A stored workspace as its agent left it. */
export interface SnapshotRef extends BlobRef {
  /** Absent when the snapshot holds the whole workspace. */
  omitted?: SnapshotOmissions;
}

export interface AttemptError {
  code: string;
  class?: string;
  /** Written by the platform, safe for users. */
  message: string;
  retryable: boolean;
}

/** The result of one delivery, as the executor reports it. */
export interface AttemptResult {
  outcome: Outcome;
  limit_kind: LimitKind | null;
  finished_by: FinishedBy;
  error: AttemptError | null;
  /** The delay of the next delivery, when a provider gave one. */
  retry_after_ms: number | null;
  /** Number of the delivery's last event; scoring waits until all up to it are stored. */
  last_sequence: number;
  final_output_bytes: number | null;
  /** Absent in results of earlier releases. */
  model_call_count?: number | null;
  /** Null: unknown, of an imported attempt. */
  tool_call_count: number | null;
  usage: Usage;
  /** Null where no call was made, and where the cost of any call is unknown. */
  cost_usd: number | null;
  /** The known part of a cost that is unknown. */
  cost_at_least_usd?: number;
  /** Replies of models that were served without a call; absent for none. */
  served_calls?: number;
  /** Of the run stage. */
  latency_ms: number;
  /** Null when nothing is to be graded. */
  snapshot: SnapshotRef | null;
}
