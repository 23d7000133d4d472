import { type AttemptPlan, cancelledResult, type GraderPlan, needsVerifier } from '@agentclash/attempt-plan';
import { type AttemptResult, isGraded } from '@agentclash/domain';
import { brokenOffResult } from '../attempt/result.js';
import { type AttemptEnd, AttemptEnded, CPU_STARVED } from '../outcome/attempt-end.js';
import { type VerifyAttemptOptions, verifyAttempt } from './verify-attempt.js';

/** A verifier that fails is retried once, without running the agent again. */
const TRIES = 2;

const VERIFIED = { status: 'verified' } as const;
const ABORTED = { status: 'aborted' } as const;

/** `aborted`: the verification is incomplete. `starved`: its results are invalid, and the delivery ends with `end`. */
export type Verified = { status: 'verified' | 'aborted' } | { status: 'starved'; end: AttemptEnd };

interface VerifyEndedOptions extends Omit<VerifyAttemptOptions, 'plan' | 'runId' | 'snapshot' | 'phase'> {
  plan: AttemptPlan;
  result: AttemptResult;
  /** Expectations are requested only when the agent has ended and something is to be verified. */
  graderPlan: () => Promise<GraderPlan>;
  /** Waits until an attempt without a sandbox of its own may open one. */
  takePermit?: () => Promise<() => void>;
  /** A try of the verifier failed. */
  onFailedTry?: (code: string, tries: number) => void;
}

/** Verifies what an ended delivery left, if anything is to be verified. */
export async function verifyEnded(options: VerifyEndedOptions): Promise<Verified> {
  const { plan, result, graderPlan, takePermit, onFailedTry, ...ports } = options;
  const { signal } = ports;
  if (plan.is_unverified || !hasEvidence(plan, result)) return VERIFIED;
  if (signal.aborted) return ABORTED;
  const grader = await graderPlan();
  if (!needsVerifier(grader)) return VERIFIED;
  const release = plan.mode === 'prompt_eval' ? await takePermit?.() : undefined;
  try {
    for (let tries = 1; tries <= TRIES; tries++) {
      if (signal.aborted) return ABORTED;
      const { snapshot } = result;
      const verification = await verifyAttempt({ ...ports, plan: grader, runId: plan.run_id, snapshot });
      if (verification.status === 'verified') return VERIFIED;
      if (signal.aborted) return ABORTED;
      onFailedTry?.(verification.code, tries);
      if (verification.code === CPU_STARVED.code) return { status: 'starved', end: CPU_STARVED };
    }
    return VERIFIED;
  } finally {
    release?.();
  }
}

/** An attempt that is not graded has none; one without a workspace has what its scripts read. */
function hasEvidence({ mode, script_runtimes }: AttemptPlan, { snapshot, outcome }: AttemptResult): boolean {
  if (mode === 'prompt_eval') return script_runtimes !== undefined && isGraded(outcome);
  return snapshot !== null;
}

/** The result of a delivery after its verification: a partial one is never reported, a starved one is not valid. */
export function verifiedResult(
  result: AttemptResult,
  verified: Verified,
  signal: AbortSignal,
): AttemptResult {
  if (verified.status === 'aborted' || isCancelled(signal)) return cutShort(result, signal);
  return verified.status === 'starved' ? brokenOffResult(result, verified.end) : result;
}

/** The result of an aborted delivery; another executor verifies again. */
function cutShort(result: AttemptResult, signal: AbortSignal): AttemptResult {
  if (isCancelled(signal)) return cancelledResult(result);
  return signal.reason instanceof AttemptEnded ? brokenOffResult(result, signal.reason.end) : result;
}

/** A bare abort is a user's cancel; every other abort has an end as its reason. */
function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && (!(reason instanceof AttemptEnded) || reason.end.because === 'cancelled');
}
