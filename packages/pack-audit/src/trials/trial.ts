import { workingDirectoryOf } from '@agentclash/challengepack';
import { type AttemptEvent, type AttemptResult, isGraded } from '@agentclash/domain';
import { phaseGrader, systemClock, verifyAttempt } from '@agentclash/engine';
import { type AttemptEvidence, type Scorecard, testRunScore } from '@agentclash/grading';
import { driveAttempt, evidenceOf } from '@agentclash/local-attempts';
import { fixedUser, USER_MESSAGE } from '../agents/fixed-user.js';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import type { Role } from '../planning/role.js';
import type { PlannedTrial } from '../planning/tasks.js';
import { type Points, pointsOf } from './points.js';
import type { TrialPorts } from './ports.js';
import { TrialFiles } from './trial-files.js';

/** One agent on one case. */
export interface Trial {
  case: AuditedCase;
  role: Role;
}

/** The result of a trial. Without points it was not graded, for the reason in `error`. */
export interface TrialResult {
  outcome: AttemptResult['outcome'];
  points: Points | null;
  scorecard: Scorecard | null;
  /** Of the attempt or of its verification. */
  error: { code: string; message: string } | null;
  finalOutput: string | null;
  /** Of all that grades the case; absent where it was not planned. */
  graderDigest?: string;
  /** By which a finding explains itself. */
  evidence: AttemptEvidence;
}

interface RunOptions {
  /** The case of the trial. */
  case: AuditedCase;
  pack: AuditedPack;
  ports: TrialPorts;
  /** Called as a grading begins; returns what is called at its end. `release` gives its CPUs to others. */
  onGrading?: (release: () => void) => () => void;
}

/** Runs, verifies and scores one attempt as a run does, without a network, models, secrets and services. */
export async function runTrial(planned: PlannedTrial, options: RunOptions): Promise<TrialResult> {
  const files = new TrialFiles(planned.files, options.pack.artifactReader);
  try {
    return await run(planned, files, options);
  } finally {
    await files.dispose();
  }
}

async function run(
  { plan, grader, graderDigest }: PlannedTrial,
  files: TrialFiles,
  { case: each, pack, ports, onGrading }: RunOptions,
): Promise<TrialResult> {
  const events: AttemptEvent[] = [];
  const { sandboxes, images, egress, starvationMax, argumentChecks, patternSearches, queryLimiter } = ports;
  const { signal, onError } = ports;
  const takeCpu: TrialPorts['takeCpu'] = async (cpu, wait) => {
    const release = await ports.takeCpu(cpu, wait);
    const end = onGrading?.(release);
    return () => {
      end?.();
      release();
    };
  };
  const common = {
    ...{ sandboxes, images, artifacts: files, snapshots: files, signal },
    ...(starvationMax !== undefined && { starvationMax }),
    ...(onError && { onError }),
  };
  const gradePhase = phaseGrader({
    plan: async () => grader,
    score: async (validator, run) => testRunScore(validator, run),
    takeSlot: async () => () => {},
    takeCpu,
  });
  const { result, history } = await driveAttempt({
    ...common,
    ...{ plan, egress, argumentChecks, patternSearches, queryLimiter, gradePhase },
    emit: (event) => void events.push(event),
    secrets: { resolve: async () => [] },
    reply: { message: USER_MESSAGE },
    models: () => ({
      openModel: fixedUser,
      openProgramModel: () => {
        throw new Error('an audit has no models');
      },
    }),
  });
  signal.throwIfAborted();
  const isVerified = isGraded(result.outcome) && !plan.is_unverified;
  const verification = isVerified
    ? await verifyAttempt({
        ...{ ...common, clock: systemClock, history, plan: grader, runId: plan.run_id },
        ...{ snapshot: result.snapshot, takeCpu },
      })
    : { status: 'verified' as const };
  signal.throwIfAborted();
  const evidence = await evidenceOf(each, { pack, result, events, signal });
  const error =
    verification.status === 'failed'
      ? { code: verification.code, message: failureText(events) }
      : result.error && { code: result.error.code, message: result.error.message };
  const isScored = isGraded(result.outcome) && verification.status === 'verified';
  const scorecard = isScored ? await ports.score(pack.spec, evidence, securityOf(pack, each)) : null;
  return {
    outcome: result.outcome,
    points: scorecard && pointsOf(scorecard),
    scorecard,
    error,
    finalOutput: finalOutputOf(events),
    graderDigest,
    evidence,
  };
}

/** A trial that could not be planned. */
export function unplannedResult(error: { code: string; message: string }): TrialResult {
  return {
    ...{ outcome: 'infra_error', points: null, scorecard: null, error, finalOutput: null },
    evidence: {
      attempt: { outcome: 'infra_error', limit_kind: null, error_code: error.code },
      ...{ events: [], case: { payload: {}, inputs: {}, expectations: {}, artifacts: {} } },
    },
  };
}

function failureText(events: readonly AttemptEvent[]): string {
  const last = events.findLast(({ event_type }) => event_type === 'grader.verification.failed');
  const { message } = (last?.payload ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : 'the verification failed';
}

function finalOutputOf(events: readonly AttemptEvent[]): string | null {
  const last = events.findLast(({ event_type }) => event_type === 'system.output.finalized');
  const { final_output: output } = (last?.payload ?? {}) as { final_output?: unknown };
  return typeof output === 'string' ? output : null;
}

/** The rules of a security pack. Workspaces of trials are not searched for planted values. */
export function securityOf({ manifest }: AuditedPack, { case: each }: AuditedCase) {
  const { security: rules } = manifest;
  if (rules === undefined) return undefined;
  return { rules, task: undefined, working_directory: workingDirectoryOf(manifest, each) };
}
