import { Module } from '@nestjs/common';
import { ExecutorsService } from './executors.service.js';
import { ExecutorsStore } from './executors.store.js';
import { FleetChecks } from './fleet-checks.js';

@Module({
  controllers: [ExecutorsService],
  providers: [ExecutorsStore, FleetChecks],
  exports: [FleetChecks],
})
export class ExecutorsModule {}
