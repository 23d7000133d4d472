import { type DatabaseSettings, prismaAdapter } from '@agentclash/service-kit';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Prisma, PrismaClient } from './generated/client.js';

/** The service's own Postgres schema. */
export const SCHEMA = 'runs';

/** What is in scope inside a transaction. */
export type Transaction = Prisma.TransactionClient;

@Injectable()
export class Database extends PrismaClient implements OnModuleDestroy {
  constructor(settings: DatabaseSettings) {
    super({
      adapter: prismaAdapter(settings, SCHEMA),
      // A run's changes wait for each other; a burst of them must not fail for waiting.
      transactionOptions: { maxWait: 10_000, timeout: 15_000 },
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.$disconnect();
  }
}
