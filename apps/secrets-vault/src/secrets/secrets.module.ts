import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { SecretsService } from './secrets.service.js';
import { SecretsStore } from './secrets.store.js';

@Module({ imports: [KeysModule], providers: [SecretsService, SecretsStore], exports: [SecretsService] })
export class SecretsModule {}
