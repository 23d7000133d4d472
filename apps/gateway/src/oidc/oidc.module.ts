import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { Issuers } from './issuers.js';
import { InstallationKey, People } from './people.js';
import { TokenExchanges } from './token-exchanges.service.js';

/** Tokens of OpenID Connect issuers: sign-in of people, exchange for CI jobs. */
@Module({
  imports: [TokensModule, WorkspacesModule],
  providers: [
    People,
    TokenExchanges,
    {
      provide: Issuers,
      inject: [CONFIG],
      useFactory: ({ OIDC_ISSUERS }: Config) => new Issuers(OIDC_ISSUERS),
    },
    {
      provide: InstallationKey,
      inject: [CONFIG],
      useFactory: ({ URL_SIGNING_KEY }: Config) => new InstallationKey(URL_SIGNING_KEY),
    },
  ],
  exports: [People, TokenExchanges],
})
export class OidcModule {}
