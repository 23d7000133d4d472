import { Module } from '@nestjs/common';
import { Reports } from './reports.js';

/** Events and results of attempts on their way to the orchestrator. */
@Module({ providers: [Reports], exports: [Reports] })
export class ReportsModule {}
