import type { Client, RecordedEvent } from '@agentclash/api';

/** Receives the events of a run in order; the next one waits for a promise that it returns. */
export type EventListener = (event: RecordedEvent) => void | Promise<void>;

/**
 * Calls the listener with every event of a run, from its first, and ends when the run has. Fails with `ApiError` when
 * the run cannot be read or the server stays unreachable, and with the error of the listener.
 */
export async function onEvent(
  client: Client,
  runId: string,
  listener: EventListener,
  options?: Parameters<Client['events']>[1],
): Promise<void> {
  for await (const event of client.events(runId, options)) await listener(event);
}
