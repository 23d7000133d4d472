import { busEvents, ContractError, type In } from '@agentclash/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import type { BusConnection } from './connection.js';
import { decode, encode } from './wire.js';

const CONTENT_BYTES_MAX = 65_536;

/** Says on the bus that a message is tried no more. Fails when the bus does not take it. */
export async function tellGivenUp(connection: BusConnection, message: JsMsg, error: unknown): Promise<void> {
  const { streamSequence: sequence, deliveryCount: deliveries, stream } = message.info;
  const told: In<typeof busEvents.givenUp> = {
    service: connection.name,
    subject: message.subject,
    sequence,
    deliveries,
    code: codeOf(error),
    content: contentOf(message.data),
    occurred_at: new Date().toISOString(),
  };
  // One that is given up for having failed to hear of others must not bring forth another.
  if (message.subject === busEvents.givenUp.subject) return;
  const msgID = `given-up:${connection.name}:${stream}:${sequence}`;
  await connection.jetstream.publish(busEvents.givenUp.subject, encode(told), { msgID });
}

/** Of a failure; what is none of ours is a bug. */
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
