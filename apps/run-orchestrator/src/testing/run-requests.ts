import { BusConnection } from '@agentclash/bus';
import { type BusEvent, busApi } from '@agentclash/contracts';
import { afterAll, beforeAll } from '@jest/globals';
import type { OrchestratorFixture } from './orchestrator-fixture.js';

/** Publishes requests as an internal service does, valid or not, and receives the events. */
export class RunRequestClient {
  private connection: BusConnection | undefined;

  constructor(private readonly fixture: OrchestratorFixture) {}

  async open(): Promise<void> {
    this.connection = await BusConnection.open({ servers: [this.fixture.natsUrl], name: 'internal-service' });
  }

  async close(): Promise<void> {
    await this.connection?.close();
  }

  /** Stores a request unchanged; a message id of its own each time, so that the stream drops none. */
  async put(content: object | string, msgID: string): Promise<void> {
    const subject = `${busApi.request.subject}.${this.fixture.workspaceId}`;
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await this.bus.jetstream.publish(subject, text, { msgID });
  }

  /** Grows by the events from now on. */
  async listen<T>(events: readonly BusEvent[]): Promise<T[]> {
    const received: T[] = [];
    for (const { subject } of events) {
      this.bus.nats.subscribe(`${subject}.${this.fixture.workspaceId}`, {
        callback: (_error, message) => void received.push(message.json()),
      });
    }
    await this.bus.nats.flush();
    return received;
  }

  /** Requests that are still to be settled. */
  async waiting(): Promise<number> {
    const manager = await this.bus.jetstreamManager();
    const subjects_filter = `${busApi.request.subject}.>`;
    const { state } = await manager.streams.info('FRONT_DOOR', { subjects_filter });
    return Object.keys(state.subjects ?? {}).length;
  }

  private get bus(): BusConnection {
    if (this.connection === undefined) throw new Error('the client is not open yet');
    return this.connection;
  }
}

/** Call at the top level of an `*.int-spec.ts`, after the fixture. */
export function openRunRequestClient(fixture: OrchestratorFixture): RunRequestClient {
  const client = new RunRequestClient(fixture);
  beforeAll(() => client.open());
  afterAll(() => client.close());
  return client;
}
