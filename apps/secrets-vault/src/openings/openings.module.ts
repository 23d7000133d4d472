import { Module } from '@nestjs/common';
import { SecretsModule } from '../secrets/secrets.module.js';
import { OpeningsService } from './openings.service.js';
import { OpeningsStore } from './openings.store.js';

/** Grants of secrets to runs, and their use by deliveries. */
@Module({ imports: [SecretsModule], providers: [OpeningsService, OpeningsStore], exports: [OpeningsService] })
export class OpeningsModule {}
