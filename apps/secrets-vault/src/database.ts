import { connectionTo, type DatabaseSettings } from '@agentclash/service-kit';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Prisma, PrismaClient } from './generated/client.js';

/** The service's own Postgres schema. */
export const SCHEMA = 'vault';

export type Transaction = Prisma.TransactionClient;

@Injectable()
export class Database extends PrismaClient implements OnApplicationShutdown {
  constructor(settings: DatabaseSettings) {
    const { options, statements } = connectionTo(settings, SCHEMA, Prisma.sql);
    super(options);
    statements.over(this);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
