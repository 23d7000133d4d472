import { type DatabaseSettings, prismaOptions } from '@agentclash/service-kit';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PrismaClient } from './generated/client.js';

/** The service's own Postgres schema. */
export const SCHEMA = 'scoring';

@Injectable()
export class Database extends PrismaClient implements OnModuleDestroy {
  constructor(settings: DatabaseSettings) {
    super(prismaOptions(settings, SCHEMA));
  }

  async onModuleDestroy(): Promise<void> {
    await this.$disconnect();
  }
}
