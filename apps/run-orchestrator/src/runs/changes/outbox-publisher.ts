import { Bus } from '@agentclash/bus';
import { executionEvents, type In, runEvents } from '@agentclash/contracts';
import { hasRunEnded } from '@agentclash/domain';
import { LOGGER, type Logger, metrics } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { factMessageId } from '../state/event-draft.js';
import type { OutboxMessage, RunChange } from '../state/run-change.js';
import { RunsStore } from '../store/runs.store.js';

interface Recorded {
  workspace_id: string;
  run_id: string;
  position: number;
}

/**
 * Publishes the outbox of a committed change. The database is authoritative: a message that cannot be published is
 * logged, and the reconcile loop publishes again what matters.
 */
@Injectable()
export class OutboxPublisher implements OnApplicationShutdown {
  /** The newest unpublished position of each run, and the publications in progress. */
  private readonly pending = new Map<string, Recorded>();
  private readonly publishing = new Map<string, Promise<void>>();

  constructor(
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async publish(change: RunChange): Promise<void> {
    const { run, events, outbox: entries } = change;
    countEnds(change);
    if (events.length > 0) {
      const position = run.eventPosition + events.length;
      this.recorded({ workspace_id: run.workspaceId, run_id: run.id, position });
    }
    // Sent in order, without waiting for each acknowledgement: a change of many attempts has many messages.
    await Promise.all(entries.map((message) => this.send(message)));
  }

  /** Resolves when all positions are published: neither handlers nor loops change a run any more. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.publishing.values());
  }

  private async send(entry: OutboxMessage): Promise<void> {
    const { message, input, id } = entry;
    try {
      if (entry.kind === 'job') await this.bus.send(entry.message, input, id);
      else await this.bus.publish(entry.message, input, id);
    } catch (error) {
      this.logger.warn({ err: error, subject: message.subject, message_id: id }, 'publish failed');
    }
  }

  /** Positions only grow: while one is being published, only the newest of the later ones is kept. */
  private recorded(recorded: Recorded): void {
    const { run_id, position } = recorded;
    if ((this.pending.get(run_id)?.position ?? 0) < position) this.pending.set(run_id, recorded);
    if (!this.publishing.has(run_id)) this.publishing.set(run_id, this.publishPositions(run_id));
  }

  private async publishPositions(runId: string): Promise<void> {
    for (let next = this.pending.get(runId); next !== undefined; next = this.pending.get(runId)) {
      this.pending.delete(runId);
      await this.send({
        kind: 'event',
        message: executionEvents.recorded,
        input: next,
        id: `recorded:${runId}:${next.position}`,
      });
    }
    this.publishing.delete(runId);
  }
}

/** Counts what a change that was committed brought to its end. A retry takes back counts, but not what was counted. */
function countEnds({ counts, patch }: RunChange): void {
  for (const { queued = 0, running = 0, byOutcome = {} } of [...counts.values()].flat()) {
    for (const [outcome, more] of Object.entries(byOutcome)) {
      if (more > 0) metrics.add('agentclash_attempts_ended_total', { outcome }, more);
    }
    if (running < 0) {
      const next = queued > 0 ? 'queued' : 'finished';
      metrics.add('agentclash_attempt_deliveries_ended_total', { next }, -running);
    }
  }
  const { status } = patch;
  if (status !== undefined && hasRunEnded(status)) metrics.add('agentclash_runs_ended_total', { status });
}

/** Publishes the ends of runs until the stream has them. */
@Injectable()
export class RunEndPublisher {
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
