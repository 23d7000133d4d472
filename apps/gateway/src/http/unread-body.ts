import type { FastifyRequest } from 'fastify';

/** How long a sender may go on after its answer. */
const UNREAD_TIMEOUT_MS = 2_000;

/**
 * Takes what a refused sender still sends, so that it comes to read its answer, and then ends the connection: a body
 * that nobody reads would hold it open.
 */
export function discardUnread({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  const overdue = setTimeout(() => raw.destroy(), UNREAD_TIMEOUT_MS);
  raw.once('close', () => clearTimeout(overdue));
  raw.once('end', () => clearTimeout(overdue));
  raw.unpipe();
  raw.resume();
}
