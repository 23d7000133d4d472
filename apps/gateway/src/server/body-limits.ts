import { PassThrough } from 'node:stream';
import { ContractError } from '@agentclash/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { routeOf } from '../http/route-table.js';

interface BodyLimits {
  /** Concurrently read bodies of one caller. */
  BODIES_MAX: number;
  /** Time for the whole body of a request to arrive, uploads excepted. */
  BODY_SECONDS_MAX: number;
}

/**
 * Bounds the memory of the bodies of admitted requests: their number per caller, and the time they may take.
 * Uploads stream to the blob store and have only the limit of the whole request.
 */
export function limitBodies(http: FastifyInstance, { BODIES_MAX, BODY_SECONDS_MAX }: BodyLimits): void {
  const open = new Map<string, number>();
  http.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasBody(request) || isUpload(request)) {
      done(null, payload);
      return;
    }
    const owner = request.caller?.owner ?? `address:${request.ip}`;
    const count = open.get(owner) ?? 0;
    if (count >= BODIES_MAX) {
      const detail = `${BODIES_MAX} request bodies of this token are being read, which is the maximum.`;
      done(new ContractError('rate_limited', detail, { retry_after: 1 }));
      return;
    }
    open.set(owner, count + 1);
    const body = new PassThrough();
    const overdue = setTimeout(() => {
      const detail = `The body did not arrive within ${BODY_SECONDS_MAX} s.`;
      body.destroy(new ContractError('unreadable', detail));
    }, BODY_SECONDS_MAX * 1_000);
    // Where nothing reads the body its error has no other listener.
    body.once('error', () => {});
    body.once('close', () => {
      clearTimeout(overdue);
      decrement(open, owner);
    });
    // The client disconnected, or the response did not need the rest of the body.
    reply.raw.once('close', () => body.destroy());
    payload.pipe(body);
    done(null, body);
  });
}

function decrement(open: Map<string, number>, owner: string): void {
  const left = (open.get(owner) ?? 1) - 1;
  if (left <= 0) open.delete(owner);
  else open.set(owner, left);
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isUpload(request: FastifyRequest): boolean {
  return routeOf(request)?.body === 'upload' || /^multipart\//i.test(request.headers['content-type'] ?? '');
}
