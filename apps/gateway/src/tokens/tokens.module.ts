import { Module } from '@nestjs/common';
import { TokensService } from './tokens.service.js';
import { TokensStore } from './tokens.store.js';

@Module({ providers: [TokensService, TokensStore], exports: [TokensService, TokensStore] })
export class TokensModule {}
