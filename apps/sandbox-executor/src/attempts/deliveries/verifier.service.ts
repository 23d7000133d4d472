import { type AttemptPlan, type GraderPlan, needsVerifier } from '@agentclash/attempt-plan';
import { Bus } from '@agentclash/bus';
import { leases } from '@agentclash/contracts';
import { type AttemptResult, isGraded } from '@agentclash/domain';
import {
  type AttemptEnd,
  type AttemptHistory,
  CPU_STARVED,
  documentOf,
  type GradePhase,
  phaseGrader,
  type Verification,
  verifyAttempt,
} from '@agentclash/engine';
import { isUnavailable, LOGGER, type Logger, retryWhileUnavailable } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from '../../machine/machine.js';
import { LiveAttempts } from '../capacity/live-attempts.js';
import { CpuSlots, Semaphore } from '../capacity/semaphore.js';
import { type Holding, RECONNECT_TIMEOUT_MS } from '../leases/leases.loop.js';
import type { AttemptContext } from './attempt-context.js';

/** A verifier that fails is retried once, without running the agent again. */
const TRIES = 2;

/** So many attempts give one sandbox more than their own. */
const ATTEMPTS_PER_GATE = 4;

const VERIFIED = { status: 'verified' } as const;
const ABORTED = { status: 'aborted' } as const;

export interface Verifying {
  plan: AttemptPlan;
  holding: Holding;
  history: AttemptHistory;
  result: AttemptResult;
  ports: AttemptContext['ports'];
  signal: AbortSignal;
}

/** `aborted`: the verification is incomplete. `starved`: its results are invalid, and the delivery ends with `end`. */
export type Verified = { status: 'verified' | 'aborted' } | { status: 'starved'; end: AttemptEnd };

/** Verifies the workspace of an agent. */
@Injectable()
export class Verifier {
  /** Sandboxes of gates, which are open beside that of their attempt. */
  private readonly gateSlots: Semaphore;

  constructor(
    private readonly bus: Bus,
    private readonly cpuSlots: CpuSlots,
    private readonly live: LiveAttempts,
    @Inject(MACHINE) private readonly machine: Pick<Machine, 'untrustedThreads' | 'attemptsMax'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.gateSlots = new Semaphore(Math.ceil(machine.attemptsMax / ATTEMPTS_PER_GATE));
  }

  /** Grades nothing itself: what it finds in the workspace becomes events. Expectations are requested only now. */
  async verify({ plan, holding, history, result, ports, signal }: Verifying): Promise<Verified> {
    const { snapshot } = result;
    if (plan.is_unverified || !hasEvidence(plan, result)) return VERIFIED;
    if (signal.aborted) return ABORTED;
    const grader = await this.graderPlan(holding, signal);
    if (!needsVerifier(grader)) return VERIFIED;
    const verify = () =>
      verifyAttempt({
        plan: grader,
        runId: plan.run_id,
        snapshot,
        history,
        signal,
        takeCpu: this.takeCpu,
        ...ports,
      });
    const release = await this.takePermit(plan, signal);
    try {
      return await this.tryTo(verify, { plan, signal });
    } finally {
      release();
    }
  }

  /** Grading between the phases of a conversation; undefined where none has a gate. */
  phaseGraderOf({ conversation, workspace_id }: AttemptPlan, holding: Holding): GradePhase | undefined {
    if (!conversation?.phases.some(({ gate }) => gate !== undefined)) return undefined;
    let known: GraderPlan | undefined;
    return phaseGrader({
      plan: async (signal) => {
        known ??= await this.graderPlan({ ...holding, for_phase: true }, signal);
        return known;
      },
      score: this.machine.untrustedThreads.testRunsOf(workspace_id),
      takeSlot: (signal) => this.gateSlots.acquire({ signal }),
      takeCpu: this.takeCpu,
    });
  }

  private async graderPlan(
    request: Holding & { for_phase?: true },
    signal: AbortSignal,
  ): Promise<GraderPlan> {
    const reply = await retryWhileUnavailable(() => this.bus.call(leases.grader, request), {
      timeoutMs: RECONNECT_TIMEOUT_MS,
      isRetryable: (error) => isUnavailable(error) && !signal.aborted,
    });
    return documentOf('agentclash.grader-plan/1', reply.plan);
  }

  /** An attempt without a workspace has no permit for a sandbox yet. */
  private async takePermit({ mode }: AttemptPlan, signal: AbortSignal): Promise<() => void> {
    return mode === 'prompt_eval' ? await this.live.permits.acquire({ signal }) : () => {};
  }

  /** The lease is renewed while it waits. */
  private readonly takeCpu = (cpu: number, signal: AbortSignal) => this.cpuSlots.take(cpu, signal);

  private async tryTo(
    verify: () => Promise<Verification>,
    { plan, signal }: Pick<Verifying, 'plan' | 'signal'>,
  ): Promise<Verified> {
    for (let tries = 1; tries <= TRIES; tries++) {
      if (signal.aborted) return ABORTED;
      const verification = await verify();
      if (verification.status === 'verified') return VERIFIED;
      if (signal.aborted) return ABORTED;
      const { code } = verification;
      this.logger.warn({ attempt_id: plan.attempt_id, code, tries }, 'verifier failed');
      if (code === CPU_STARVED.code) return { status: 'starved', end: CPU_STARVED };
    }
    return VERIFIED;
  }
}

/** An attempt that is not graded has none; one without a workspace has what its scripts read. */
function hasEvidence({ mode, script_runtimes }: AttemptPlan, { snapshot, outcome }: AttemptResult): boolean {
  if (mode === 'prompt_eval') return script_runtimes !== undefined && isGraded(outcome);
  return snapshot !== null;
}
