import {
  APICallError,
  InvalidResponseDataError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3StreamPart,
  TypeValidationError,
} from '@ai-sdk/provider';
import type { ProviderError } from '../failures/failure.js';
import { messageOfBody, messageOfValue, type ProviderMessage } from '../failures/provider-message.js';
import { streamError } from '../failures/stream-error.js';
import { CallAttemptError } from './call-attempt-error.js';
import type { Exchange } from './exchange.js';
import type { GatheredReply } from './gathered-reply.js';

export interface StreamRequest {
  model: LanguageModelV3;
  options: LanguageModelV3CallOptions;
  exchange: Exchange;
}

/** Sends the request and reads the stream until its end, or until the reply is full. Throws CallAttemptError. */
export async function readStream(
  { model, options, exchange }: StreamRequest,
  reply: GatheredReply,
): Promise<void> {
  // An error of a listener is not the provider's failure, so only reads are mapped.
  const orFailure = async <T>(reading: PromiseLike<T>): Promise<T> => {
    try {
      return await reading;
    } catch (error) {
      throw exchange.failure ?? new CallAttemptError(asProviderError(error, exchange.status));
    }
  };
  const { stream } = await orFailure(model.doStream(options));
  const reader = stream.getReader();
  try {
    while (!reply.isFull) {
      const part = await orFailure(nextPart(reader));
      if (part === undefined) return;
      reply.add(part);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Undefined at the end of the stream; an error part is thrown. */
async function nextPart(
  reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>,
): Promise<LanguageModelV3StreamPart | undefined> {
  const { value } = await reader.read();
  if (value?.type !== 'error') return value;
  // One SDK throws this for a stream that ended without a finish; the others just end.
  if (InvalidResponseDataError.isInstance(value.error) && value.error.data === undefined) return undefined;
  throw value.error;
}

/** Maps an SDK's error without a failure on the wire. */
function asProviderError(error: unknown, status: number | undefined): ProviderError {
  // Nothing was sent: the SDK could not translate the request for the provider.
  if (status === undefined) return { reason: 'unsendable', message: String(error) };
  const sent = messageOfEvent(error);
  return sent === undefined ? { reason: 'undecodable', status } : streamError(sent);
}

/** The message of an error event; undefined when the event is no error of the provider. */
function messageOfEvent(error: unknown): ProviderMessage | undefined {
  if (APICallError.isInstance(error)) return withMessage(messageOfBody(error.responseBody ?? ''));
  if (TypeValidationError.isInstance(error)) return withMessage(messageOfValue(error.value));
  return error instanceof Error ? undefined : messageOfValue(error);
}

function withMessage(sent: ProviderMessage): ProviderMessage | undefined {
  return sent.message === undefined ? undefined : sent;
}
