import { Bus } from '@agentclash/bus';
import { ContractError, type execution, type In, leases } from '@agentclash/contracts';
import {
  AttemptEnded,
  type AttemptHistory,
  type AttemptPlan,
  type AttemptProgress,
  type AttemptResult,
  cancelledResult,
  type GraderPlan,
  needsVerifier,
  openHistory,
  type RunAttemptOptions,
  resumeAttempt,
  runAttempt,
  systemClock,
  verifyAttempt,
} from '@agentclash/engine';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { AttemptModels } from '../models/attempt-models.js';
import { blobPorts } from './blob-ports.js';
import { EventOutbox } from './event-outbox.js';
import { type Holding, Lease } from './lease.loop.js';
import { LiveAttempts } from './live-attempts.js';
import { MACHINE, type Machine } from './machine.js';
import { vaultSecrets } from './vault-secrets.js';

/** A verifier that fails is tried once more, alone: never by running the agent again. */
const VERIFIER_TRIES = 2;
/** As long as the lease may still be ours. */
const FINISH_PATIENCE_MS = 40_000;
const FINISH_RETRY_MS = 1_000;

@Injectable()
export class AttemptsService {
  constructor(
    private readonly bus: Bus,
    private readonly live: LiveAttempts,
    private readonly models: AttemptModels,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Drives one delivery of an attempt to its end, if it is still to be had. */
  async execute(job: In<typeof execution.execute>): Promise<void> {
    const { executorId: executor_id } = this.machine;
    const claim = await this.bus.call(leases.claim, { attempt_id: job.attempt_id, executor_id });
    if (!claim.claimed) {
      this.logger.debug({ attempt: job.attempt_id, reason: claim.reason }, 'not claimed');
      return;
    }
    // The orchestrator builds it of the engine's own type.
    const plan = claim.plan as unknown as AttemptPlan;
    const holding = { attempt_id: job.attempt_id, delivery: claim.delivery, executor_id };
    const work = this.live.begin(job.run_id);
    const lease = new Lease(holding, this.bus, work);
    try {
      await this.deliver(plan, holding, { work, lease });
    } finally {
      lease.stop();
      this.live.end(work);
    }
  }

  private async deliver(
    plan: AttemptPlan,
    holding: Holding,
    { work, lease }: { work: AbortController; lease: Lease },
  ): Promise<void> {
    const { workspace_id, run_id, attempt_id, delivery } = plan;
    const outbox = new EventOutbox(
      { workspace_id, run_id, attempt_id, delivery },
      { bus: this.bus, blobs: this.machine.blobs },
    );
    const history = openHistory(plan, {
      clock: systemClock,
      emit: outbox.add,
      secrets: vaultSecrets(plan, this.bus),
    });
    const ports = this.ports(plan, lease);
    const models = this.models.portsOf(plan, history);
    const means = { plan, history, signal: work.signal, ...ports, ...models };
    const result = await endedHere(await runAttempt(means), means);
    await this.verify({ plan, holding, history, result, ports, signal: work.signal });
    if (isLeaseLost(work.signal)) {
      this.logger.warn({ attempt: attempt_id, delivery }, 'lease lost, result dropped');
      return;
    }
    await outbox.flush();
    const ended = isCancelled(work.signal) ? cancelledResult(result) : result;
    const finished = { ...ended, usage: { ...ended.usage }, last_sequence: history.events.lastSequence };
    await this.finish({ ...holding, result: finished });
  }

  /** A result is worth waiting for: an orchestrator that is away for a moment must not cost the work. */
  private async finish(report: In<typeof leases.finish>): Promise<void> {
    const giveUpAt = Date.now() + FINISH_PATIENCE_MS;
    for (;;) {
      try {
        await this.bus.call(leases.finish, report);
        return;
      } catch (error) {
        const mayHelp = error instanceof ContractError && error.code === 'unavailable';
        if (!mayHelp || Date.now() > giveUpAt) throw error;
        await systemClock.sleep(FINISH_RETRY_MS);
      }
    }
  }

  /** Grades nothing itself: what it finds in the workspace becomes events. Answers are asked for only now. */
  private async verify({ plan, holding, history, result, ports, signal }: Verifying): Promise<void> {
    const { snapshot } = result;
    if (snapshot === null || signal.aborted) return;
    const reply = await this.bus.call(leases.grader, holding);
    const grader = reply.plan as unknown as GraderPlan;
    if (!needsVerifier(grader)) return;
    for (let tries = 1; tries <= VERIFIER_TRIES; tries++) {
      const verification = await verifyAttempt({
        plan: grader,
        runId: plan.run_id,
        snapshot,
        history,
        signal,
        ...ports,
      });
      if (verification.status === 'verified' || signal.aborted) return;
      this.logger.warn({ attempt: plan.attempt_id, code: verification.code, tries }, 'the verifier failed');
    }
  }

  private ports(plan: AttemptPlan, lease: Lease) {
    const { sandboxes, egress, blobs } = this.machine;
    return {
      sandboxes,
      egress,
      ...blobPorts(blobs),
      clock: systemClock,
      onStage: (stage: Lease['stage']) => {
        lease.stage = stage;
      },
      onFault: (fault: unknown) =>
        this.logger.warn({ attempt: plan.attempt_id, err: fault }, 'fault in an attempt'),
    };
  }
}

interface Verifying {
  plan: AttemptPlan;
  holding: Holding;
  history: AttemptHistory;
  result: AttemptResult;
  ports: ReturnType<AttemptsService['ports']>;
  signal: AbortSignal;
}

/** This executor keeps no attempt for a person: one that waits for somebody is ended. */
async function endedHere(progress: AttemptProgress, means: RunAttemptOptions): Promise<AttemptResult> {
  if ('ended' in progress) return progress.ended;
  const end = {
    because: 'infra',
    code: 'unsupported_capability',
    message: 'nobody can be asked here',
  } as const;
  const signal = AbortSignal.abort(new AttemptEnded(end));
  const { parked } = progress;
  return endedHere(await resumeAttempt({ ...means, signal, parked, answer: { timedOut: true } }), means);
}

/** A bare abort is a user's cancel; every other end says what it is. */
function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && (!(reason instanceof AttemptEnded) || reason.end.because === 'cancelled');
}

function isLeaseLost({ reason }: AbortSignal): boolean {
  return reason instanceof AttemptEnded && reason.end.because === 'infra' && reason.end.code === 'lease_lost';
}
