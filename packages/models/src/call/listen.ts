import {
  APICallError,
  InvalidResponseDataError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3StreamPart,
  TypeValidationError,
} from '@ai-sdk/provider';
import type { ProviderError } from '../failures/failure.js';
import { type ProviderWords, wordsOfBody, wordsOfValue } from '../failures/provider-words.js';
import { streamError } from '../failures/stream-error.js';
import type { Exchange } from './exchange.js';
import type { GatheredReply } from './gathered-reply.js';
import { TryFailure } from './try-failure.js';

export interface Listening {
  model: LanguageModelV3;
  options: LanguageModelV3CallOptions;
  exchange: Exchange;
}

/** Sends the request and gathers the stream until its end, or until the reply is full. Throws TryFailure. */
export async function listen({ model, options, exchange }: Listening, reply: GatheredReply): Promise<void> {
  // What a listener of the reply throws is not the provider's failure, so only the reading is guarded.
  const orFailure = async <T>(reading: PromiseLike<T>): Promise<T> => {
    try {
      return await reading;
    } catch (error) {
      throw exchange.failure ?? new TryFailure(asProviderError(error, exchange.status));
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

/** Undefined at the end of the stream; an error that came as a part is thrown. */
async function nextPart(
  reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>,
): Promise<LanguageModelV3StreamPart | undefined> {
  const { value } = await reader.read();
  if (value?.type !== 'error') return value;
  // One SDK's word for a stream that ended without a finish; the others just end.
  if (InvalidResponseDataError.isInstance(value.error) && value.error.data === undefined) return undefined;
  throw value.error;
}

/** Reads what an SDK threw while nothing was wrong on the wire. */
function asProviderError(error: unknown, status: number | undefined): ProviderError {
  // Nothing was sent: the SDK could not put the request into the provider's terms.
  if (status === undefined) return { fault: 'unsendable', message: String(error) };
  const words = wordsOfEvent(error);
  return words === undefined ? { fault: 'undecodable', status } : streamError(words);
}

/** The words of an error event; undefined when it was no event that the provider meant as an error. */
function wordsOfEvent(error: unknown): ProviderWords | undefined {
  if (APICallError.isInstance(error)) return withMessage(wordsOfBody(error.responseBody ?? ''));
  if (TypeValidationError.isInstance(error)) return withMessage(wordsOfValue(error.value));
  return error instanceof Error ? undefined : wordsOfValue(error);
}

function withMessage(words: ProviderWords): ProviderWords | undefined {
  return words.message === undefined ? undefined : words;
}
