import type { RecordedEvent } from '@agentclash/api';

/** The live events of a run in a component test: each connection of the page, and the events that are sent to the last. */
export class RunStream {
  readonly connections: ReadableStreamDefaultController<string>[] = [];
  private position = 0;

  /** The handler of the route. */
  readonly open = (): Response => {
    const text = new ReadableStream<string>({ start: (stream) => void this.connections.push(stream) });
    const headers = { 'content-type': 'text/event-stream' };
    return new Response(text.pipeThrough(new TextEncoderStream()), { headers });
  };

  /** Sends the next recorded event, a second after the one before it. */
  send(event_type: string, payload: object, more: Partial<RecordedEvent> = {}): void {
    this.position += 1;
    const { position } = this;
    const occurred_at = new Date(Date.UTC(2026, 0, 1, 0, 0, position)).toISOString();
    const event = { position, event_type, payload, source: 'worker_engine', occurred_at, ...more };
    this.write(`id: ${position}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  /** Sends a fragment that has no position. */
  sendDelta(event: object): void {
    this.write(`data: ${JSON.stringify(event)}\n\n`);
  }

  close(): void {
    this.connections.at(-1)?.close();
  }

  break(): void {
    this.connections.at(-1)?.error(new Error('reset'));
  }

  private write(text: string): void {
    this.connections.at(-1)?.enqueue(text);
  }
}
