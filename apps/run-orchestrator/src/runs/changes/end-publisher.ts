import { Bus } from '@agentclash/bus';
import { type In, runEvents } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { factMessageId } from '../state/fact.js';
import { RunsStore } from '../store/runs.store.js';

/** Publishes the ends of runs until the stream has them. */
@Injectable()
export class EndPublisher {
  constructor(
    private readonly store: RunsStore,
    private readonly bus: Bus,
  ) {}

  /** Publishes the end of a run, if that is not on record, and notes it. Fails with `unavailable`. */
  async publish(runId: string): Promise<void> {
    const end = await this.store.findUnannouncedEnd(runId);
    if (!end) return;
    await this.bus.publish(runEvents.completed, end as In<typeof runEvents.completed>, factMessageId(end));
    await this.store.noteAnnounced(runId, new Date(end.occurred_at));
  }
}
