import { EgressError } from '../guard/errors.js';
import type { EgressPolicy } from '../guard/policy.js';
import type { NetworkRecord } from '../guard/record.js';
import type { Egress } from './request.js';

export interface GuardedFetchOptions {
  policy: EgressPolicy;
  /** One deadline over everything, the body included. */
  timeoutMs: number;
  maxBytes: number;
  secretHeaders?: readonly string[];
  secretOrigins?: readonly (readonly string[])[];
  pool?: string;
  onHop?: (record: NetworkRecord) => void;
}

// A caller written for the platform's fetch may set what the client itself decides.
const IGNORED_HEADERS = new Set(['accept-encoding', 'connection', 'content-length', 'host', 'keep-alive']);
const BODILESS_STATUSES = new Set([204, 205, 304]);

/**
 * The guarded client in the shape of `fetch`, for libraries that take one. Redirects are always followed, under guard;
 * failures reject with EgressError; the body streams.
 */
export function guardedFetch(egress: Egress, options: GuardedFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const { method, headers, signal, body } = new Request(input, init);
    const kept = [...headers].filter(([name]) => !IGNORED_HEADERS.has(name));
    const sent = body === null ? undefined : new Uint8Array(await new Response(body).arrayBuffer());
    const stream = await egress.open({
      ...options,
      method,
      // As it was given: a Request has repaired what the raw checks look for.
      url: input instanceof Request ? input.url : String(input),
      headers: Object.fromEntries(kept),
      signal,
      ...(sent === undefined ? {} : { body: sent }),
    });
    try {
      const content = BODILESS_STATUSES.has(stream.status) ? null : asReadable(stream.body);
      const response = new Response(content, {
        status: stream.status,
        headers: decodedHeaders(stream.headers),
      });
      if (content === null) stream.close();
      return response;
    } catch {
      // A status or header that the platform's Response cannot hold.
      stream.close();
      throw new EgressError('response_failed');
    }
  };
}

function asReadable(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** The body is decoded already; its length and coding on the wire would mislead. */
function decodedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'content-encoding': _coding, 'content-length': _length, ...rest } = headers;
  return rest;
}
