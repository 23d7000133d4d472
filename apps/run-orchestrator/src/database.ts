import { createDatabase } from '@agentclash/service-kit';
import { Prisma, PrismaClient } from './generated/client.js';

/** The service's own Postgres schema. */
export const SCHEMA = 'runs';

/** What is in scope inside a transaction. */
export type Transaction = Prisma.TransactionClient;

const REFUSALS: Readonly<Record<string, Refusal>> = { P2002: 'duplicate', P2003: 'dangling' };

/** Why the database would not write: something of that name is there, or what is referred to is not. */
export type Refusal = 'duplicate' | 'dangling';

export function refusalOf(error: unknown): Refusal | undefined {
  return error instanceof Prisma.PrismaClientKnownRequestError ? REFUSALS[error.code] : undefined;
}

export class Database extends createDatabase(SCHEMA, PrismaClient, Prisma.sql) {}
