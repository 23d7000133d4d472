import { type BusEvent, busEvents, ContractError, type In, type Job } from '@agentclash/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import type { BusConnection } from './connection.js';
import { decode, encode } from './wire.js';

const CONTENT_BYTES_MAX = 65_536;

/** Publishes that a message is a dead letter: it is not delivered again. Fails when the bus does not store the event. */
export async function publishDeadLetter(
  connection: BusConnection,
  message: JsMsg,
  error: unknown,
): Promise<void> {
  const { streamSequence: sequence, deliveryCount: deliveries, stream } = message.info;
  const deadLetter: In<typeof busEvents.deadLetter> = {
    service: connection.name,
    subject: message.subject,
    sequence,
    deliveries,
    code: codeOf(error),
    content: contentOf(message.data),
    occurred_at: new Date().toISOString(),
  };
  // A dead letter about a dead letter would loop.
  if (message.subject === busEvents.deadLetter.subject) return;
  const msgID = `given-up:${connection.name}:${stream}:${sequence}`;
  await connection.jetstream.publish(busEvents.deadLetter.subject, encode(deadLetter), { msgID });
}

/** The error code of a failure; an error without a code is a bug, `internal`. */
export function codeOf(error: unknown): string {
  return error instanceof ContractError ? error.code : 'internal';
}

function contentOf(data: Uint8Array): unknown {
  if (data.length > CONTENT_BYTES_MAX) return null;
  try {
    return decode(data);
  } catch {
    return null;
  }
}

/** With the back-off in between, about ten minutes. */
export const EVENT_DELIVERIES_MAX = 25;

/**
 * True when a failed message becomes a dead letter. A job can be dropped: its sender's rows still hold the work and
 * are reconciled. An event is published once, so it is redelivered for as long as a dependency is unavailable.
 */
export function isLastDelivery(contract: Job | BusEvent, deliveries: number, error: unknown): boolean {
  if (contract.kind === 'job') return deliveries >= contract.deliveriesMax;
  const isUnavailable = error instanceof ContractError && error.code === 'unavailable';
  return !isUnavailable && deliveries >= EVENT_DELIVERIES_MAX;
}
