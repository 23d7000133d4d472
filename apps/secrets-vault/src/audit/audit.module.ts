import { Module } from '@nestjs/common';
import { AuditLoop } from './audit.loop.js';
import { AuditStore } from './audit.store.js';

@Module({ providers: [AuditLoop, AuditStore], exports: [AuditStore] })
export class AuditModule {}
