import { randomUUID } from 'node:crypto';
import {
  type AttemptPlan,
  type GraderPlan,
  graderChecks,
  needsVerifier,
  planFromPack,
  planGrading,
  resolveLimits,
  scriptRuntimes,
} from '@agentclash/attempt-plan';
import { isPrimitiveName, workingDirectoryOf } from '@agentclash/challengepack';
import { type AttemptEvent, type AttemptResult, isGraded } from '@agentclash/domain';
import {
  openHistory,
  type ParkedAttempt,
  phaseGrader,
  resumeAttempt,
  runAttempt,
  systemClock,
  verifyAttempt,
} from '@agentclash/engine';
import { type AttemptEvidence, type Scorecard, testRunScore } from '@agentclash/grading';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import { type AuditAgent, plannedAgent } from './agent.js';
import { evidenceOf } from './evidence.js';
import { FIXED_USER, fixedUser, USER_MESSAGE } from './fixed-user.js';
import { MemoryStore } from './memory-store.js';
import { type Points, pointsOf } from './points.js';
import type { TrialPorts } from './ports.js';

/** One agent on one case. */
export interface Trial {
  case: AuditedCase;
  agent: AuditAgent;
}

/** The result of a trial. Without points it was not graded, for the reason in `error`. */
export interface TrialResult {
  outcome: AttemptResult['outcome'];
  points: Points | null;
  scorecard: Scorecard | null;
  /** Of the attempt or of its verification. */
  error: { code: string; message: string } | null;
  finalOutput: string | null;
  /** By which a finding explains itself. */
  evidence: AttemptEvidence;
}

/** Runs, verifies and scores one attempt as a run does, without a network, models, secrets and services. */
export async function runTrial(trial: Trial, pack: AuditedPack, ports: TrialPorts): Promise<TrialResult> {
  const store = new MemoryStore(pack.artifacts);
  const plan = trialPlan(trial, pack, store);
  const grader = graderPlan(trial, pack, plan);
  const events: AttemptEvent[] = [];
  const { sandboxes, images, egress, starvationMax, argumentChecks, patternSearches, queryLimiter } = ports;
  const { signal, takeCpu, onError } = ports;
  const common = {
    ...{ sandboxes, images, artifacts: store, snapshots: store, clock: systemClock, signal },
    ...(starvationMax !== undefined && { starvationMax }),
    ...(onError && { onError }),
  };
  const gradePhase = phaseGrader({
    plan: async () => grader,
    score: async (validator, run) => testRunScore(validator, run),
    takeSlot: async () => () => {},
    takeCpu,
  });
  const openHistoryAfter = (parked?: ParkedAttempt) =>
    openHistory(plan, {
      clock: systemClock,
      emit: (event) => void events.push(event),
      secrets: { resolve: async () => [] },
      lastSequence: events.at(-1)?.sequence_number,
      keptEvents: parked?.state.kept_events,
    });
  const attempt = {
    ...common,
    ...{ plan, egress, argumentChecks, patternSearches, queryLimiter, gradePhase },
    openModel: fixedUser,
    openProgramModel: () => {
      throw new Error('an audit has no models');
    },
  };
  let history = openHistoryAfter();
  let progress = await runAttempt({ ...attempt, history });
  while ('parked' in progress) {
    const { parked } = progress;
    history = openHistoryAfter(parked);
    progress = await resumeAttempt({ ...attempt, history, parked, reply: { message: USER_MESSAGE } });
  }
  signal.throwIfAborted();
  const result = progress.ended;
  const isVerified = isGraded(result.outcome) && !plan.is_unverified;
  const verification = isVerified
    ? await verifyAttempt({
        ...{ ...common, history, plan: grader, runId: plan.run_id, snapshot: result.snapshot, takeCpu },
      })
    : { status: 'verified' as const };
  signal.throwIfAborted();
  const evidence = await evidenceOf(trial.case, { pack, result, events, signal });
  const error =
    verification.status === 'failed'
      ? { code: verification.code, message: 'the verification failed' }
      : result.error && { code: result.error.code, message: result.error.message };
  const isScored = isGraded(result.outcome) && verification.status === 'verified';
  const scorecard = isScored ? await ports.score(pack.spec, evidence, securityOf(pack, trial.case)) : null;
  return {
    outcome: result.outcome,
    points: scorecard && pointsOf(scorecard),
    scorecard,
    error,
    finalOutput: finalOutputOf(events),
    evidence,
  };
}

/** The plan of a run, but for the network: an audit has none. */
function trialPlan(
  { case: { case: each }, agent }: Trial,
  pack: AuditedPack,
  store: MemoryStore,
): AttemptPlan {
  const { manifest, spec, artifactOf } = pack;
  const { tools, sandbox, tool_policy, ...planned } = planFromPack(manifest, each, {
    artifactOf,
    simulatorOf: () => FIXED_USER,
  });
  const runtimes = scriptRuntimes(manifest, spec);
  const { mcp_servers: servers = [], ...packTools } = tools;
  const timeoutSeconds = agent.kind === 'program' ? agent.timeoutSeconds : undefined;
  const limits = resolveLimits({
    caseTimeoutSeconds: each.case_timeout_seconds ?? 0,
    pack: spec.runtime_limits,
  });
  const id = () => randomUUID();
  return {
    schema: 'agentclash.attempt-plan/1',
    ...{ workspace_id: id(), run_id: id(), run_agent_id: id(), attempt_id: id(), delivery: 1, repetition: 1 },
    ...planned,
    agent: plannedAgent(agent, store.add),
    tools: { ...packTools, workspace: [], ...(servers.length > 0 && { mcp_servers: servers }) },
    tool_policy: { ...tool_policy, allow_network: false },
    sandbox: { ...sandbox, network_access: false, network_allowlist: [] },
    limits: {
      ...limits,
      run_timeout_seconds: timeoutSeconds ?? limits.run_timeout_seconds,
    },
    narrowing: { denied_tools: (manifest.tools?.denied ?? []).filter((name) => !isPrimitiveName(name)) },
    ...(runtimes.length > 0 && { script_runtimes: runtimes }),
    ...(!needsVerifier(graderChecks(spec)) && { is_unverified: true as const }),
  };
}

function graderPlan({ case: { case: each } }: Trial, pack: AuditedPack, plan: AttemptPlan): GraderPlan {
  const { manifest, spec, artifactOf } = pack;
  return planGrading(manifest, each, { attemptId: plan.attempt_id, spec, artifactOf });
}

function finalOutputOf(events: readonly AttemptEvent[]): string | null {
  const last = events.findLast(({ event_type }) => event_type === 'system.output.finalized');
  const { final_output: output } = (last?.payload ?? {}) as { final_output?: unknown };
  return typeof output === 'string' ? output : null;
}

/** The rules of a security pack. Workspaces of trials are not searched for planted values. */
function securityOf({ manifest }: AuditedPack, { case: each }: AuditedCase) {
  const { security: rules } = manifest;
  if (rules === undefined) return undefined;
  return { rules, task: undefined, working_directory: workingDirectoryOf(manifest, each) };
}
