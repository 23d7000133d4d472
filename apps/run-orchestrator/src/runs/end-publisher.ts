import { Bus } from '@agentclash/bus';
import { runEvents } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { RunsStore } from './runs.store.js';

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
    await this.bus.publish(runEvents.completed, end, endMessageId(runId));
    await this.store.noteAnnounced(runId);
  }
}

/** One id for all tellings of one end, so that the stream keeps the first. */
export function endMessageId(runId: string): string {
  return `run-completed:${runId}`;
}
