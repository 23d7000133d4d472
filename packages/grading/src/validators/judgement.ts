import type { EvidencePointer } from '../evidence/pointer.js';
import { isAtLeast } from '../tolerance.js';
import type { Reading, ReportMetrics } from './reports.js';

/** The decision of a validator that has its evidence. */
export type Judgement =
  | {
      readonly kind: 'scored';
      readonly passed: boolean;
      readonly score: number;
      readonly reason: string | null;
    }
  | { readonly kind: 'error'; readonly outcome: 'pack_error' | 'evaluator_error'; readonly reason: string };

/** A judgement, or why there is none, with the place of its evidence. */
export type Finding = (
  | Judgement
  | {
      readonly kind: 'unavailable';
      readonly outcome: 'evidence_missing' | 'infra_error';
      readonly reason: string;
    }
) & {
  readonly pointer: EvidencePointer | null;
  /** The reason that a script or a harness gave, in its words. */
  readonly detail?: string;
  /** The metrics of a report, or why there are none; only where a report of the validator can have some. */
  readonly metrics?: Reading<ReportMetrics>;
};

export const PASS: Judgement = { kind: 'scored', passed: true, score: 1, reason: null };

export function fail(reason: string): Judgement {
  return { kind: 'scored', passed: false, score: 0, reason };
}

/** Binary: 1, or 0 for the reason. */
export function passIf(condition: boolean, reason: string): Judgement {
  return condition ? PASS : fail(reason);
}

/** Graded: passes at the threshold. */
export function graded(score: number, threshold: number): Judgement {
  const passed = isAtLeast(score, threshold);
  return { kind: 'scored', passed, score, reason: passed ? null : 'below_threshold' };
}

export function packError(reason: string): Judgement {
  return { kind: 'error', outcome: 'pack_error', reason };
}

/** The agent's text is past what we read: our limit, so neither side's failure. */
export const TOO_LARGE: Judgement = { kind: 'error', outcome: 'evaluator_error', reason: 'input_too_large' };
