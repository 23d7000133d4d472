import { type DatabaseSettings, prismaOptions } from '@agentclash/service-kit';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Prisma, PrismaClient } from './generated/client.js';

/** The service's own Postgres schema. */
export const SCHEMA = 'vault';

export type Transaction = Prisma.TransactionClient;

@Injectable()
export class Database extends PrismaClient implements OnModuleDestroy {
  constructor(settings: DatabaseSettings) {
    super(prismaOptions(settings, SCHEMA));
  }

  async onModuleDestroy(): Promise<void> {
    await this.$disconnect();
  }
}
