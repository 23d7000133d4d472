import { ContractError } from '@agentclash/contracts';
import type { FastifyRequest } from 'fastify';

/** The request's `Idempotency-Key`, if it has one. Fails with `invalid_input`. */
export function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ContractError('invalid_input', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', {
    errors: [
      {
        code: 'malformed',
        field: 'Idempotency-Key',
        message: 'must be 1 to 255 visible ASCII characters without blanks',
      },
    ],
  });
}
