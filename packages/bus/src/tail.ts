import { ContractError, type Job, type Message, type Parcel } from '@agentclash/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import { decode } from './wire.js';

/**
 * Fails with `invalid_input` when a message says another tail than its subject: senders are kept apart by the subject
 * alone, so nothing else may tell whose a message is.
 */
export function checkTail({ tail = '' }: Message, subject: string, data: unknown): void {
  const said =
    typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[tail] : undefined;
  if (said === tailOf(subject)) return;
  throw new ContractError('invalid_input', `"${tail}" must be the last token of the subject.`, {
    errors: [{ code: 'not_the_subject', field: tail, message: 'must be the last token of the subject' }],
  });
}

/** A job from outside as its handler gets it: content that cannot be read is no failure of ours. */
export function parcelOf({ deliveriesMax }: Job, message: JsMsg): Parcel {
  const messageId = message.headers?.get('Nats-Msg-Id') ?? '';
  return {
    workspace_id: tailOf(message.subject),
    message_id: messageId === '' ? null : messageId,
    sequence: message.seq,
    ...contentOf(message.data),
    is_last_delivery: message.info.deliveryCount >= deliveriesMax,
  };
}

function contentOf(data: Uint8Array): { content?: unknown } {
  try {
    return { content: decode(data) };
  } catch {
    return {};
  }
}

function tailOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}
