import { Bus } from '@agentclash/bus';
import { executionEvents } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { RunChange, Saying } from '../state/run-change.js';
import { countEnds } from './run-figures.js';

interface Recorded {
  workspace_id: string;
  run_id: string;
  position: number;
}

/**
 * Says on the bus what was committed. The row is the truth: what cannot be said is logged, and the reconcile loop says
 * again what matters.
 */
@Injectable()
export class RunAnnouncer implements OnApplicationShutdown {
  /** The newest position of each run that still has to be told, and the tellings at work. */
  private readonly pending = new Map<string, Recorded>();
  private readonly telling = new Map<string, Promise<void>>();

  constructor(
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async announce(change: RunChange): Promise<void> {
    const { run, events, sayings } = change;
    countEnds(change);
    if (events.length > 0) {
      const position = run.eventPosition + events.length;
      this.recorded({ workspace_id: run.workspaceId, run_id: run.id, position });
    }
    // Sent in their order, and not one after the other's answer: a change of many attempts has much to say.
    await Promise.all(sayings.map((saying) => this.say(saying)));
  }

  /** Resolves when all positions are published: neither handlers nor loops change a run any more. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.telling.values());
  }

  private async say(saying: Saying): Promise<void> {
    const { message, input, id } = saying;
    try {
      if (saying.kind === 'job') await this.bus.send(saying.message, input, id);
      else await this.bus.publish(saying.message, input, id);
    } catch (error) {
      this.logger.warn({ err: error, subject: message.subject, id }, 'could not be said');
    }
  }

  /** Positions only grow, so while one is being told, only the newest of those that follow is kept. */
  private recorded(recorded: Recorded): void {
    const { run_id, position } = recorded;
    if ((this.pending.get(run_id)?.position ?? 0) < position) this.pending.set(run_id, recorded);
    if (!this.telling.has(run_id)) this.telling.set(run_id, this.tellAll(run_id));
  }

  private async tellAll(runId: string): Promise<void> {
    for (let next = this.pending.get(runId); next !== undefined; next = this.pending.get(runId)) {
      this.pending.delete(runId);
      await this.say({
        kind: 'event',
        message: executionEvents.recorded,
        input: next,
        id: `recorded:${runId}:${next.position}`,
      });
    }
    this.telling.delete(runId);
  }
}
