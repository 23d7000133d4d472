import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { OidcModule } from '../oidc/oidc.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AccessControl } from './access-control.js';
import { Authentication, OperatorHash } from './authentication.js';
import { Bootstrap } from './bootstrap.js';
import { RateLimits } from './rate-limits.js';
import { TokensController } from './tokens.controller.js';

/** Authentication, authorization and rate limits. */
@Module({
  imports: [OidcModule, TokensModule, WorkspacesModule],
  controllers: [TokensController],
  providers: [
    AccessControl,
    Authentication,
    Bootstrap,
    {
      provide: OperatorHash,
      inject: [CONFIG],
      useFactory: ({ OPERATOR_TOKEN_SHA256 }: Config) => new OperatorHash(OPERATOR_TOKEN_SHA256),
    },
    { provide: RateLimits, inject: [CONFIG], useFactory: (config: Config) => new RateLimits(config) },
  ],
  exports: [AccessControl],
})
export class AccessModule {}
