import type { LiveEvent, RecordedEvent } from '@agentclash/contracts';

/** Pause before a browser reconnects, in milliseconds. */
const RETRY_MS = 1_000;

/** A stream of server-sent events; an empty text becomes a comment. `done` is called however it ends. */
export async function* serverSentEvents(
  texts: AsyncIterable<string | Buffer>,
  done: () => void,
): AsyncGenerator<string | Buffer, void, undefined> {
  try {
    yield `retry: ${RETRY_MS}\n\n`;
    for await (const text of texts) yield text.length === 0 ? ': alive\n\n' : text;
  } finally {
    done();
  }
}

/** Batches of events as one JSON object a line. */
export async function* jsonLines(
  batches: AsyncIterable<RecordedEvent[]>,
): AsyncGenerator<string, void, undefined> {
  for await (const batch of batches) yield batch.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** Events as server-sent events. */
export function textOf(events: readonly (RecordedEvent | LiveEvent)[]): string {
  return events.map(eventText).join('');
}

/** A live event has no id, so that a client that reconnects resumes after the last recorded event. */
function eventText(event: RecordedEvent | LiveEvent): string {
  const id = 'position' in event ? `id: ${event.position}\n` : '';
  return `${id}event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`;
}
