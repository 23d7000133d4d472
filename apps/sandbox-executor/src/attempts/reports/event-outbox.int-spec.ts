import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Bus } from '@agentclash/bus';
import { Blobs, newId } from '@agentclash/service-kit';
import { freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FakeServices } from '../../testing/fake-services.js';
import { EVENTS_BURST, EventOutbox } from './event-outbox.js';

const nats = await freshNats();
const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-outbox-'));
const delivery = { workspace_id: newId(), run_id: newId(), attempt_id: newId(), delivery: 1 };
const EVENTS = EVENTS_BURST + 1_500;

/** The stream, which takes a message only when a test lets it. */
class SlowStream {
  readonly sent: number[] = [];
  private pending: (() => void)[] = [];
  isOpen = false;

  readonly emit = async ({ events }: { events: { sequence_number: number }[] }): Promise<void> => {
    if (!this.isOpen) await new Promise<void>((resolve) => this.pending.push(resolve));
    this.sent.push(...events.map(({ sequence_number }) => sequence_number));
  };

  open(): void {
    this.isOpen = true;
    for (const resolve of this.pending.splice(0)) resolve();
  }
}

describe('the outbox of an attempt', () => {
  let services: FakeServices;
  let blobs: Blobs;

  beforeAll(async () => {
    services = await FakeServices.open(nats.url);
    blobs = await Blobs.inFolder(folder);
  });
  afterAll(async () => {
    await services?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('an attempt records no more events than a burst and the rate allow, however fast the stream is', async () => {
    const stream = new SlowStream();
    stream.open();
    const outbox = new EventOutbox(delivery, { bus: services.bus, blobs, reports: stream });
    const startedAt = performance.now();
    for (let number = 1; number <= EVENTS; number += 1) {
      await outbox.drained();
      outbox.add(eventOf(number));
    }
    const allowed = EVENTS_BURST + performance.now() - startedAt;
    expect(EVENTS).toBeLessThanOrEqual(allowed + 1);
    await outbox.flush();
    expect(stream.sent).toHaveLength(EVENTS);
  });

  test('the outbox of an attempt holds a bounded number of events while the stream takes none, and loses none of them', async () => {
    const stream = new SlowStream();
    const bus: Bus = services.bus;
    const outbox = new EventOutbox(delivery, { bus, blobs, reports: stream });
    let added = 0;
    const work = (async () => {
      while (added < EVENTS) {
        await outbox.drained();
        added += 1;
        outbox.add(eventOf(added));
      }
    })();
    await waitFor(() => added >= 1_024);
    // All that could run without the stream has run.
    await new Promise((resolve) => setImmediate(resolve));
    expect(added).toBeLessThan(1_100);
    stream.open();
    await work;
    await outbox.flush();
    expect(stream.sent).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1));
  });
});

function eventOf(sequence_number: number) {
  return {
    ...{ event_id: newId(), schema_version: '1' as const, sequence_number },
    ...{ run_id: delivery.run_id, run_agent_id: newId(), attempt_id: delivery.attempt_id, delivery: 1 },
    ...{ case_key: 'c', repetition: 1, event_type: 'system.step.started', source: 'native_engine' as const },
    ...{ occurred_at: new Date().toISOString(), payload: { step_index: 1 }, summary: {} },
  };
}
