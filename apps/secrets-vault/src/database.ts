import { createDatabase } from '@agentclash/service-kit';
import { Prisma, PrismaClient } from './generated/client.js';

export type Transaction = Prisma.TransactionClient;

export class Database extends createDatabase('vault', PrismaClient, Prisma.sql) {}
