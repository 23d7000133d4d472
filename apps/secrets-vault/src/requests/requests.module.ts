import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { OpeningsModule } from '../openings/openings.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { VaultHandlers } from './vault.handlers.js';
import { WebhookKeysHandlers } from './webhook-keys.handlers.js';

/** Requests about secrets. */
@Module({
  imports: [AuditModule, OpeningsModule, SecretsModule],
  controllers: [VaultHandlers, WebhookKeysHandlers],
})
export class RequestsModule {}
