import { BlobsModule } from '@agentclash/service-kit';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AccessModule } from './access/access.module.js';
import { ArtifactsModule } from './artifacts/artifacts.module.js';
import { AttemptsModule } from './attempts/attempts.module.js';
import { AuditsModule } from './audits/audits.module.js';
import { CatalogueModule } from './catalogue/catalogue.module.js';
import { CONFIG, type Config } from './config.js';
import { GatesModule } from './gates/gates.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { PacksModule } from './packs/packs.module.js';
import { ReviewsModule } from './reviews/reviews.module.js';
import { RunsModule } from './runs/runs.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { ServerModule } from './server/server.module.js';
import { ServiceModule } from './service/service.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SharesModule } from './shares/shares.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WorkspacesModule } from './workspaces/workspaces.module.js';

@Global()
@Module({
  imports: [
    ServerModule,
    IdempotencyModule,
    ServiceModule,
    WorkspacesModule,
    AccessModule,
    SessionsModule,
    PacksModule,
    AuditsModule,
    SecretsModule,
    CatalogueModule,
    ArtifactsModule,
    RunsModule,
    SharesModule,
    AttemptsModule,
    GatesModule,
    ReviewsModule,
    WebhooksModule,
  ],
})
export class AppModule {
  static with(config: Config): DynamicModule {
    const providers = [{ provide: CONFIG, useValue: config }];
    return { module: AppModule, imports: [BlobsModule.with(config.blobs)], providers, exports: providers };
  }
}
