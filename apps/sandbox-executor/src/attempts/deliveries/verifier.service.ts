import type { AttemptPlan, GraderPlan } from '@agentclash/attempt-plan';
import { Bus } from '@agentclash/bus';
import { leases } from '@agentclash/contracts';
import type { AttemptResult } from '@agentclash/domain';
import {
  type AttemptHistory,
  documentOf,
  type GradePhase,
  phaseGrader,
  type Verified,
  verifyEnded,
} from '@agentclash/engine';
import { isUnavailable, LOGGER, type Logger, retryWhileUnavailable } from '@agentclash/service-kit';
import { Semaphore } from '@agentclash/threads';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from '../../machine/machine.js';
import { CpuSlots } from '../capacity/cpu-slots.js';
import { LiveAttempts } from '../capacity/live-attempts.js';
import { type Holding, RECONNECT_TIMEOUT_MS } from '../leases/leases.loop.js';
import type { AttemptContext } from './attempt-context.js';

/** So many attempts give one sandbox more than their own. */
const ATTEMPTS_PER_GATE = 4;

export interface Verifying {
  plan: AttemptPlan;
  holding: Holding;
  history: AttemptHistory;
  result: AttemptResult;
  ports: AttemptContext['ports'];
  signal: AbortSignal;
}

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

  /** Grades nothing itself: what it finds in the workspace becomes events. */
  async verify({ plan, holding, history, result, ports, signal }: Verifying): Promise<Verified> {
    return await verifyEnded({
      ...ports,
      ...{ plan, history, result, signal },
      takeCpu: this.takeCpu,
      graderPlan: () => this.graderPlan(holding, signal),
      takePermit: () => this.live.permits.acquire({ signal }),
      onFailedTry: (code, tries) =>
        this.logger.warn({ attempt_id: plan.attempt_id, code, tries }, 'verifier failed'),
    });
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

  /** The lease is renewed while it waits. */
  private readonly takeCpu = (cpu: number, signal: AbortSignal) => this.cpuSlots.take(cpu, signal);
}
