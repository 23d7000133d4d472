import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ByteBuffer } from '@agentclash/egress';

/** The token that a request carries, in any of the forms that clients use. */
export function tokenOf({ headers }: IncomingMessage, query: URLSearchParams): string {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  const [key] = [headers['x-api-key'], headers['x-goog-api-key']].flat().filter((each) => each !== undefined);
  return key ?? bearer ?? query.get('key') ?? '';
}

export function isSameToken(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The whole body; `too_large` once it exceeds the limit. Rejects when the client disconnects. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | 'too_large'> {
  const body = new ByteBuffer();
  // Leaving the loop must not end the connection, over which the reply goes.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (body.bytes.length + chunk.length > bytesMax) return 'too_large';
    body.append(chunk);
  }
  return body.bytes;
}
