import { ContractError, type Envelope, type Job, type Message } from '@agentclash/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import { decode } from './wire.js';

/**
 * Fails with `invalid_input` when a message's content names another tail than its subject: permissions apply to the
 * subject alone, so only the subject identifies the sender.
 */
export function checkTail({ tail = '' }: Message, subject: string, data: unknown): void {
  const named =
    typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[tail] : undefined;
  if (named === tailOf(subject)) return;
  throw new ContractError('invalid_input', `"${tail}" must be the last token of the subject.`, {
    errors: [{ code: 'not_the_subject', field: tail, message: 'must be the last token of the subject' }],
  });
}

/** An external job as its handler receives it: unreadable content is the sender's error, which the handler reports. */
export function envelopeOf({ deliveriesMax }: Job, message: JsMsg): Envelope {
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
