import { ContractError, type In, type Out, type runs, type TranscriptMatch } from '@agentclash/contracts';
import { findText } from '@agentclash/domain';
import { decodePositionCursor, encodeCursor } from '@agentclash/service-kit';
import { FairLimiter, TooManyWaiting } from '@agentclash/threads';
import { Injectable } from '@nestjs/common';
import { Payloads } from '../store/payloads.js';
import { TranscriptSearchStore } from '../store/transcript-search.store.js';

/** Events that one statement searches. */
const EVENTS_PER_READ = 2_000;
/** Rows with large payloads that are in memory together. */
const ROWS_PER_READ = 50;
/** A page ends after so much time, and after so many bytes of payloads that are stored as blobs. */
const PAGE_MS_MAX = 1_500;
const PAGE_BYTES_MAX = 33_554_432;
/** Each page under way holds a connection of the database, and the others of the instance wait for these. */
const CONCURRENCY = { atOnce: 3, tenantMax: 2, waitingMax: 6 };

/** Searches the payloads of a run's events for a text, part by part. */
@Injectable()
export class TranscriptSearch {
  private readonly turns = new FairLimiter(CONCURRENCY);

  constructor(
    private readonly store: TranscriptSearchStore,
    private readonly payloads: Payloads,
  ) {}

  /** Up to the event `last` of the run. Fails with `unavailable` while too many searches of the workspace wait. */
  async search(request: In<typeof runs.search>, last: number): Promise<Out<typeof runs.search>> {
    try {
      return await this.turns.take({ tenant: request.workspace_id }, () => this.page(request, last));
    } catch (cause) {
      if (!(cause instanceof TooManyWaiting)) throw cause;
      const message = 'Other searches of the workspace are under way. Try again in some seconds.';
      throw new ContractError('unavailable', message, {}, { cause });
    }
  }

  private async page(request: In<typeof runs.search>, last: number): Promise<Out<typeof runs.search>> {
    const { run_id: runId, q, run_agent_id: runAgentId, case_key: caseKey, limit, cursor } = request;
    const began = performance.now();
    const items: TranscriptMatch[] = [];
    let searched = Math.min(decodePositionCursor(cursor) ?? 0, last);
    let bytes = 0;
    const isFull = () =>
      items.length >= limit || bytes > PAGE_BYTES_MAX || performance.now() - began > PAGE_MS_MAX;
    do {
      const upTo = Math.min(searched + EVENTS_PER_READ, last);
      const part = { runId, after: searched, upTo, runAgentId, caseKey };
      const rows = await this.store.candidates(part, q, ROWS_PER_READ);
      if (rows.length < ROWS_PER_READ) searched = upTo;
      for (const { payload, position, ...event } of rows) {
        const whole = await this.payloads.read(payload);
        if (whole !== payload) bytes += Number(payload.bytes);
        const found = findText(whole, q);
        if (found) items.push({ ...addressOf(event), ...found });
        if (rows.length === ROWS_PER_READ || isFull()) searched = position;
        if (isFull()) break;
      }
    } while (searched < last && !isFull());
    return {
      items,
      next_cursor: searched < last ? encodeCursor(String(searched)) : null,
      searched,
      events: last,
    };
  }
}

type Found = Awaited<ReturnType<TranscriptSearchStore['candidates']>>[number];

function addressOf(event: Omit<Found, 'payload' | 'position'>) {
  return {
    attempt_id: event.attemptId,
    run_agent_id: event.runAgentId,
    agent_name: event.agentName,
    case_key: event.caseKey,
    repetition: event.repetition,
    delivery: event.delivery,
    sequence_number: event.sequenceNumber,
    event_type: event.eventType,
    occurred_at: event.occurredAt.toISOString(),
  };
}
