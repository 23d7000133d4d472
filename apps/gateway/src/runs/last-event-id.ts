import { ContractError, POSITION_MAX } from '@agentclash/contracts';
import type { FastifyRequest } from 'fastify';

/** The position after which a stream goes on: `Last-Event-ID`, else `after`. Fails with `invalid_input`. */
export function startOf({ headers }: FastifyRequest, after: number): number {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return after;
  if (typeof id === 'string' && /^\d{1,10}$/.test(id) && Number(id) <= POSITION_MAX) return Number(id);
  throw new ContractError('invalid_input', 'Last-Event-ID is not one of this stream.', {
    errors: [
      { code: 'malformed', field: 'Last-Event-ID', message: 'must be the id of an event of this run' },
    ],
  });
}
