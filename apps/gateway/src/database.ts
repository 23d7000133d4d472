import { createDatabase } from '@agentclash/service-kit';
import { Prisma, PrismaClient } from './generated/client.js';

export class Database extends createDatabase('gateway', PrismaClient, Prisma.sql) {}
