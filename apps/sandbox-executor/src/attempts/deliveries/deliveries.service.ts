import type { AttemptPlan } from '@agentclash/attempt-plan';
import type { AttemptResult } from '@agentclash/domain';
import {
  AttemptEnded,
  type HumanReply,
  type ParkedAttempt,
  resumeAttempt,
  runAttempt,
  verifiedResult,
} from '@agentclash/engine';
import {
  inSpan,
  LOGGER,
  type Logger,
  metrics,
  retryWhileUnavailable,
  secondsSince,
  withLogFields,
} from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { type Holding, type Lease, Leases, leaseLost, RECONNECT_TIMEOUT_MS } from '../leases/leases.loop.js';
import { Parking } from '../parking/parking.service.js';
import { Reports } from '../reports/reports.js';
import { type AttemptContext, AttemptContextFactory } from './attempt-context.js';
import { Verifier } from './verifier.service.js';

/** A delivery to be driven, from its beginning or from where it was parked. */
export interface Delivery {
  plan: AttemptPlan;
  holding: Holding;
  work: AbortController;
  resumed?: {
    state: Record<string, unknown>;
    sandbox: ParkedAttempt['sandbox'];
    reply: HumanReply;
  };
}

/** Drives deliveries to their end, or until a person is waited for. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly leases: Leases,
    private readonly reports: Reports,
    private readonly context: AttemptContextFactory,
    private readonly parking: Parking,
    private readonly verifier: Verifier,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async drive(delivery: Delivery): Promise<void> {
    const lease = this.leases.hold(delivery.holding, delivery.work);
    const { run_id, attempt_id, delivery: number } = delivery.plan;
    const attributes = {
      'agentclash.run.id': run_id,
      'agentclash.attempt.id': attempt_id,
      'agentclash.attempt.delivery': number,
    };
    const startedAt = performance.now();
    try {
      await withLogFields({ run_id, attempt_id }, () =>
        inSpan('attempt', { attributes }, () => this.driveUnder(lease, delivery)),
      );
    } finally {
      this.leases.release(lease);
      metrics.observe('agentclash_attempt_duration_seconds', {}, secondsSince(startedAt));
    }
  }

  private async driveUnder(lease: Lease, delivery: Delivery): Promise<void> {
    const { plan, holding, work, resumed } = delivery;
    const { signal } = work;
    const state = resumed && (await this.parking.loadState(resumed.state));
    const context = this.context.open(plan, holding, { lease, state });
    const { history, outbox, ports } = context;
    const gradePhase = this.verifier.phaseGraderOf(plan, holding);
    const run = { plan, history, signal, ...ports, ...(gradePhase && { gradePhase }) };
    const progress =
      resumed && state
        ? await resumeAttempt({
            ...run,
            parked: { state, sandbox: resumed.sandbox },
            reply: resumed.reply,
          })
        : await runAttempt(run);
    const result = 'ended' in progress ? progress.ended : await this.park(progress.parked, delivery, context);
    if (!result) return;
    const verified = await this.verifier.verify({ plan, holding, history, result, ports, signal });
    if (isLeaseLost(signal)) {
      this.logger.warn(
        { attempt_id: plan.attempt_id, delivery: plan.delivery },
        'lease is lost, result is dropped',
      );
      return;
    }
    const last = await outbox.takeRest();
    const ended = verifiedResult(result, verified, signal);
    const report = { ...ended, usage: { ...ended.usage }, last_sequence: history.events.lastSequence };
    await retryWhileUnavailable(() => this.reports.finish(holding, report, last), {
      timeoutMs: RECONNECT_TIMEOUT_MS,
    });
  }

  /** Undefined once the delivery is parked; its result when it has to end instead. */
  private async park(
    parked: ParkedAttempt,
    { plan, holding, work }: Delivery,
    { history, outbox, ports }: AttemptContext,
  ): Promise<AttemptResult | undefined> {
    const { signal } = work;
    try {
      if (await this.parking.park(parked, { plan, holding, outbox, signal })) return undefined;
      work.abort();
    } catch (error) {
      this.logger.warn({ attempt_id: plan.attempt_id, err: error }, 'parking a delivery failed');
      work.abort(leaseLost());
    }
    const reply = { timedOut: true } as const;
    const progress = await resumeAttempt({ plan, history, signal, ...ports, parked, reply });
    if ('ended' in progress) return progress.ended;
    throw new Error('a delivery that was to end waits for a person');
  }
}

function isLeaseLost({ reason }: AbortSignal): boolean {
  return reason instanceof AttemptEnded && reason.end.because === 'infra' && reason.end.code === 'lease_lost';
}
