import '@fastify/multipart';
import type { Readable } from 'node:stream';
import { ContractError } from '@agentclash/contracts';
import type { FastifyRequest } from 'fastify';

/** Processes the content of a part. Fails with `unreadable` when the form, not the processing, breaks off. */
export async function readContent<T>(
  { raw }: FastifyRequest,
  content: Readable,
  work: (content: Readable) => Promise<T>,
): Promise<T> {
  let broken: unknown;
  content.once('error', (error) => {
    broken = error;
  });
  try {
    return await work(content);
  } catch (error) {
    const isFormError = error === broken || raw.destroyed;
    throw isFormError && !(error instanceof ContractError) ? brokenForm(error) : error;
  }
}

/** The form cannot be read, or the client has disconnected; the parser's own errors keep their status. */
export function brokenForm(cause: unknown): unknown {
  if (cause instanceof Error && 'statusCode' in cause) return cause;
  return new ContractError('unreadable', 'The upload is not a complete multipart form.', {}, { cause });
}
