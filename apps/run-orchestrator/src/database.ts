import { createDatabase } from '@agentclash/service-kit';
import { Prisma, PrismaClient } from './generated/client.js';

/** The service's own Postgres schema. */
export const SCHEMA = 'runs';

/** The client inside a transaction. */
export type Transaction = Prisma.TransactionClient;

const CONSTRAINT_VIOLATIONS: Readonly<Record<string, ConstraintViolation>> = {
  P2002: 'duplicate',
  P2003: 'dangling',
};

/** Why the database would not write: something of that name is there, or what is referred to is not. */
export type ConstraintViolation = 'duplicate' | 'dangling';

export function constraintViolationOf(error: unknown): ConstraintViolation | undefined {
  return error instanceof Prisma.PrismaClientKnownRequestError
    ? CONSTRAINT_VIOLATIONS[error.code]
    : undefined;
}

export class Database extends createDatabase(SCHEMA, PrismaClient, Prisma.sql) {}
