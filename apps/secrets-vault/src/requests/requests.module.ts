import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { OpeningsModule } from '../openings/openings.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { VaultHandlers } from './vault.handlers.js';

/** Requests about secrets, which several services of the vault serve. */
@Module({ imports: [AuditModule, OpeningsModule, SecretsModule], controllers: [VaultHandlers] })
export class RequestsModule {}
