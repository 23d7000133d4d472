import { Bus } from '@agentclash/bus';
import { leases } from '@agentclash/contracts';
import { documentOf } from '@agentclash/engine';
import { isUnavailable, LOGGER, type Logger, retryWhileUnavailable } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { LiveAttempts } from '../capacity/live-attempts.js';
import { Deliveries } from '../deliveries/deliveries.service.js';
import { RECONNECT_TIMEOUT_MS } from '../leases/leases.loop.js';
import { type HeldAttempt, ParkedAttempts } from '../parking/parked-attempts.js';

/** Why an attempt stops waiting: its turn may be over, or it has to end whatever it waits for. */
type Because = 'turn_over' | 'cancelled' | 'sandbox_gone';

/** Parked attempts that are ended concurrently. */
const ENDED_AT_ONCE = 8;
const SHUTDOWN_TIMEOUT_MS = 5_000;

/** Takes parked attempts back to work, or to their end. */
@Injectable()
export class Resumptions {
  private readonly resuming = new Set<Promise<void>>();

  constructor(
    private readonly bus: Bus,
    private readonly live: LiveAttempts,
    private readonly parked: ParkedAttempts,
    private readonly deliveries: Deliveries,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Settles when the attempt has ended, waits again or has turned out to wait still. Never rejects. */
  async resume(held: HeldAttempt, because: Because = 'turn_over'): Promise<void> {
    if (held.isResuming) return;
    held.isResuming = true;
    const resuming = this.resumeOrDrop(held, because);
    this.resuming.add(resuming);
    await resuming;
    this.resuming.delete(resuming);
  }

  async cancelRun(runId: string): Promise<void> {
    await this.endAll(this.parked.ofRun(runId), 'cancelled');
  }

  /** Ends all parked attempts, once no work is started any more, and waits for resumptions in progress. */
  async drain(): Promise<void> {
    await this.endAll(this.parked.all(), 'turn_over');
    await Promise.all(this.resuming);
  }

  /** Destroys the sandbox of an attempt that belongs to another executor. */
  async drop(held: HeldAttempt): Promise<void> {
    this.parked.remove(held);
    await held.sandbox.session.destroy().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'destroying a sandbox failed; the reaper removes it');
    });
  }

  private async endAll(attempts: HeldAttempt[], because: Because): Promise<void> {
    const left = [...attempts];
    const endSome = async () => {
      for (let next = left.pop(); next; next = left.pop()) await this.resume(next, because);
    };
    await Promise.all(Array.from({ length: ENDED_AT_ONCE }, endSome));
  }

  private async resumeOrDrop(held: HeldAttempt, because: Because): Promise<void> {
    const work = this.live.begin(held.runId);
    if (because === 'cancelled') work.abort();
    const release = await this.live.permits.acquire({ isUrgent: true, signal: work.signal });
    try {
      await this.resumeDelivery(held, work, because);
    } catch (error) {
      const { attempt_id } = held.holding;
      this.logger.warn({ attempt_id, err: error }, 'resuming a parked attempt failed');
      // Nothing is decided yet: the next renewal of its lease returns its fate.
      if (isUnavailable(error) && this.parked.has(held) && !this.live.isStopping) held.isResuming = false;
      else await this.drop(held);
    } finally {
      release();
      this.live.end(work);
    }
  }

  private async resumeDelivery(held: HeldAttempt, work: AbortController, because: Because): Promise<void> {
    const { holding, sandbox } = held;
    const to_end = because !== 'turn_over' || work.signal.aborted;
    const timeoutMs = this.live.isStopping ? SHUTDOWN_TIMEOUT_MS : RECONNECT_TIMEOUT_MS;
    const request = () => this.bus.call(leases.resume, { ...holding, to_end });
    const reply = await retryWhileUnavailable(request, { timeoutMs });
    if (!reply.resumed) {
      held.isResuming = false;
      return;
    }
    this.parked.remove(held);
    const { state, message, is_cancelled } = reply;
    if (is_cancelled) work.abort();
    const plan = documentOf('agentclash.attempt-plan/1', reply.plan);
    const given = message === null ? ({ timedOut: true } as const) : { message };
    await this.deliveries.drive({ plan, holding, work, resumed: { state, sandbox, reply: given } });
  }
}
