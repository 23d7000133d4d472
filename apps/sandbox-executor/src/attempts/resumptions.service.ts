import { Bus } from '@agentclash/bus';
import { leases } from '@agentclash/contracts';
import { received } from '@agentclash/engine';
import { isUnavailable, LOGGER, type Logger, retryWhileUnavailable } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Deliveries } from './deliveries.service.js';
import { RECONNECT_TIMEOUT_MS } from './leases.loop.js';
import { LiveAttempts } from './live-attempts.js';
import { type KeptAttempt, ParkedAttempts } from './parked-attempts.js';

/** Why an attempt stops waiting: its turn may be over, or it has to end whatever it waits for. */
type Because = 'turn_over' | 'cancelled' | 'sandbox_gone';

/** Parked attempts that are ended concurrently. */
const ENDED_AT_ONCE = 8;
const SHUTDOWN_TIMEOUT_MS = 5_000;

/** Takes parked attempts back to work, or to their end. */
@Injectable()
export class Resumptions {
  private readonly leaving = new Set<Promise<void>>();

  constructor(
    private readonly bus: Bus,
    private readonly live: LiveAttempts,
    private readonly parked: ParkedAttempts,
    private readonly deliveries: Deliveries,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Settles when the attempt has ended, waits again or has turned out to wait still. Never rejects. */
  async resume(kept: KeptAttempt, because: Because = 'turn_over'): Promise<void> {
    if (kept.isLeaving) return;
    kept.isLeaving = true;
    const leaving = this.leave(kept, because);
    this.leaving.add(leaving);
    await leaving;
    this.leaving.delete(leaving);
  }

  async cancelRun(runId: string): Promise<void> {
    await this.endAll(this.parked.ofRun(runId), 'cancelled');
  }

  /** Ends all parked attempts, once no work is started any more, and waits for resumptions in progress. */
  async drain(): Promise<void> {
    await this.endAll(this.parked.all(), 'turn_over');
    await Promise.all(this.leaving);
  }

  /** Destroys the sandbox of an attempt that belongs to another executor. */
  async drop(kept: KeptAttempt): Promise<void> {
    this.parked.remove(kept);
    await kept.sandbox.session.destroy().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'destroying a sandbox failed; the reaper removes it');
    });
  }

  private async endAll(attempts: KeptAttempt[], because: Because): Promise<void> {
    const left = [...attempts];
    const endSome = async () => {
      for (let next = left.pop(); next; next = left.pop()) await this.resume(next, because);
    };
    await Promise.all(Array.from({ length: ENDED_AT_ONCE }, endSome));
  }

  private async leave(kept: KeptAttempt, because: Because): Promise<void> {
    const work = this.live.begin(kept.runId);
    if (because === 'cancelled') work.abort();
    const release = await this.live.permits.acquire({ isUrgent: true, signal: work.signal });
    try {
      await this.resumeDelivery(kept, work, because);
    } catch (error) {
      const { attempt_id } = kept.holding;
      this.logger.warn({ attempt_id, err: error }, 'resuming a parked attempt failed');
      // Nothing is decided yet: the next renewal of its lease returns its fate.
      if (isUnavailable(error) && this.parked.has(kept) && !this.live.isStopping) kept.isLeaving = false;
      else await this.drop(kept);
    } finally {
      release();
      this.live.end(work);
    }
  }

  private async resumeDelivery(kept: KeptAttempt, work: AbortController, because: Because): Promise<void> {
    const { holding, sandbox } = kept;
    const to_end = because !== 'turn_over' || work.signal.aborted;
    const timeoutMs = this.live.isStopping ? SHUTDOWN_TIMEOUT_MS : RECONNECT_TIMEOUT_MS;
    const request = () => this.bus.call(leases.resume, { ...holding, to_end });
    const reply = await retryWhileUnavailable(request, { timeoutMs });
    if (!reply.resumed) {
      kept.isLeaving = false;
      return;
    }
    this.parked.remove(kept);
    const { state, message, is_cancelled } = reply;
    if (is_cancelled) work.abort();
    const plan = received('agentclash.attempt-plan/1', reply.plan);
    const given = message === null ? ({ timedOut: true } as const) : { message };
    await this.deliveries.drive({ plan, holding, work, resumed: { state, sandbox, reply: given } });
  }
}
