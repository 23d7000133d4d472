import { createDatabase } from '@agentclash/service-kit';
import { Prisma, PrismaClient } from './generated/client.js';

/** The service's own Postgres schema. */
export const SCHEMA = 'scoring';

export class Database extends createDatabase(SCHEMA, PrismaClient, Prisma.sql) {}
