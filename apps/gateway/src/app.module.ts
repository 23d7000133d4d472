import { Blobs } from '@agentclash/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { ArtifactsController } from './artifacts/artifacts.controller.js';
import { ArtifactsService } from './artifacts/artifacts.service.js';
import { ReceivedBytes } from './artifacts/received-bytes.js';
import { SignedUrls } from './artifacts/signed-urls.js';
import { AttemptHistory } from './attempts/attempt-history.js';
import { AttemptsController } from './attempts/attempts.controller.js';
import { ReplaysService } from './attempts/replays.service.js';
import { BaselinesController } from './baselines/baselines.controller.js';
import { ComparisonsController } from './comparisons/comparisons.controller.js';
import type { Config } from './config.js';
import { Database } from './database.js';
import { DeploymentsController } from './deployments/deployments.controller.js';
import { GatePoliciesController } from './gates/gate-policies.controller.js';
import { GatesController } from './gates/gates.controller.js';
import { Connections } from './http/connections.js';
import { ProblemFilter } from './http/problem.filter.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { IdempotencyLoop } from './idempotency/idempotency.loop.js';
import { Idempotency } from './idempotency/idempotency.service.js';
import { IdempotencyStore } from './idempotency/idempotency.store.js';
import { ModelAliasesController } from './model-aliases/model-aliases.controller.js';
import { Issuers } from './oidc/issuers.js';
import { InstallationKey, People } from './oidc/people.js';
import { TokenExchanges } from './oidc/token-exchanges.service.js';
import { PacksController } from './packs/packs.controller.js';
import { PacksService } from './packs/packs.service.js';
import { VersionsController } from './packs/versions.controller.js';
import { ProfilesController } from './profiles/profiles.controller.js';
import { ProviderAccountsController } from './provider-accounts/provider-accounts.controller.js';
import { ProviderAccountsService } from './provider-accounts/provider-accounts.service.js';
import { RateLimits } from './rate-limit/rate-limits.js';
import { EventsListener } from './runs/events.listener.js';
import { OpenStreams, StreamSettings } from './runs/open-streams.js';
import { RunAgentsController } from './runs/run-agents.controller.js';
import { RunEvents } from './runs/run-events.js';
import { RunTails } from './runs/run-tails.js';
import { RunsController } from './runs/runs.controller.js';
import { WakeUps } from './runs/wake-ups.js';
import { SecretsController } from './secrets/secrets.controller.js';
import { VaultKeysController } from './secrets/vault-keys.controller.js';
import { InstallationHealth } from './service/installation-health.js';
import { ServiceController } from './service/service.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SessionsStore } from './sessions/sessions.store.js';
import { AccessControl } from './tokens/access-control.js';
import { Authentication, OperatorHash } from './tokens/authentication.js';
import { TokensController } from './tokens/tokens.controller.js';
import { TokensService } from './tokens/tokens.service.js';
import { TokensStore } from './tokens/tokens.store.js';
import { ToolsController } from './tools/tools.controller.js';
import { Bootstrapping } from './workspaces/bootstrap.js';
import { StorageController } from './workspaces/storage.controller.js';
import { WorkspacesController } from './workspaces/workspaces.controller.js';
import { WorkspacesService } from './workspaces/workspaces.service.js';
import { WorkspacesStore } from './workspaces/workspaces.store.js';

const CONTROLLERS = [
  ServiceController,
  WorkspacesController,
  TokensController,
  SessionsController,
  PacksController,
  VersionsController,
  SecretsController,
  VaultKeysController,
  StorageController,
  ProviderAccountsController,
  ModelAliasesController,
  ProfilesController,
  ToolsController,
  DeploymentsController,
  ArtifactsController,
  RunsController,
  RunAgentsController,
  AttemptsController,
  ComparisonsController,
  BaselinesController,
  GatePoliciesController,
  GatesController,
];

@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      controllers: [...CONTROLLERS, EventsListener],
      providers: [
        { provide: Database, useFactory: () => new Database(config) },
        { provide: Blobs, useFactory: () => Blobs.open(config.blobs) },
        { provide: RateLimits, useFactory: () => new RateLimits(config) },
        { provide: Issuers, useFactory: () => new Issuers(config.OIDC_ISSUERS) },
        { provide: InstallationKey, useFactory: () => new InstallationKey(config.URL_SIGNING_KEY) },
        { provide: OperatorHash, useFactory: () => new OperatorHash(config.OPERATOR_TOKEN_SHA256) },
        {
          provide: StreamSettings,
          useFactory: () => new StreamSettings(config.STREAMS_MAX, config.STREAM_CHECK_SECONDS * 1_000),
        },
        {
          provide: SignedUrls,
          useFactory: () => new SignedUrls(config.URL_SIGNING_KEY, config.URL_LIFETIME_SECONDS),
        },
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        ...[
          AccessControl,
          ArtifactsService,
          AttemptHistory,
          Authentication,
          Bootstrapping,
          Idempotency,
          IdempotencyLoop,
        ],
        ...[
          Connections,
          InstallationHealth,
          OpenStreams,
          IdempotencyStore,
          ProviderAccountsService,
          ReplaysService,
          SessionsService,
          SessionsStore,
          RunEvents,
          RunTails,
          TokensService,
          TokensStore,
        ],
        ...[ReceivedBytes, PacksService, People, TokenExchanges, WakeUps, WorkspacesService, WorkspacesStore],
      ],
    };
  }
}
