import { createHash } from 'node:crypto';
import {
  openApiDocument,
  REFERENCE_STYLE,
  type ResponseOutput,
  referencePage,
  routes,
} from '@agentclash/api';
import { Bus, BusConnection } from '@agentclash/bus';
import { baselines, ContractError, fleet, packs, vaultKeys } from '@agentclash/contracts';
import { checkReadiness, releaseVersion } from '@agentclash/service-kit';
import { Injectable, Module } from '@nestjs/common';
import { Database } from '../database.js';
import { RouteResponse } from '../http/route-response.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.service;

const API_VERSION = '1.0.0';
const DOCUMENT = openApiDocument(API_VERSION);
const RELEASE = releaseVersion();
const OPENAPI = Buffer.from(JSON.stringify(DOCUMENT));
const PAGE = Buffer.from(referencePage(DOCUMENT));
/** The page may use its own style and nothing else. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(REFERENCE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** No workspace has this id: queries with it are empty, and cheap. */
const NOWHERE = '00000000-0000-7000-8000-000000000000';
const PROBE_TIMEOUT_MS = 1_500;

type Installation = ResponseOutput<typeof routes.service.installation>;
type ServiceHealth = Installation['services'][number];

/** Checks whether every service behind the gateway replies, by a small request to each. */
@Injectable()
class InstallationHealth {
  constructor(private readonly bus: Bus) {}

  async read(): Promise<Installation> {
    const none = { workspace_id: NOWHERE, limit: 1 };
    const probes: Record<string, () => Promise<unknown>> = {
      'pack-registry': () => this.bus.call(packs.list, none, PROBE_TIMEOUT_MS),
      'secrets-vault': () => this.bus.call(vaultKeys.status, {}, PROBE_TIMEOUT_MS),
      scoring: () => this.bus.call(baselines.list, none, PROBE_TIMEOUT_MS),
    };
    const [executors, ...others] = await Promise.all([
      this.bus.call(fleet.list, {}, PROBE_TIMEOUT_MS).catch(asUnavailable),
      ...Object.entries(probes).map(async ([name, probe]) =>
        healthOf(name, await probe().catch(asUnavailable)),
      ),
    ]);
    return {
      version: RELEASE,
      services: [healthOf('run-orchestrator', executors), ...others].toSorted((a, b) =>
        a.name < b.name ? -1 : 1,
      ),
      executors: executors instanceof ContractError ? [] : executors.items,
    };
  }
}

function healthOf(name: string, reply: unknown): ServiceHealth {
  return reply instanceof ContractError
    ? { name, state: 'away', detail: reply.message }
    : { name, state: 'ready' };
}

function asUnavailable(error: unknown): ContractError {
  if (error instanceof ContractError) return error;
  throw error;
}

@ServesRoutes(routes.service)
class ServiceController implements Serving<Routes> {
  constructor(
    private readonly connection: BusConnection,
    private readonly database: Database,
    private readonly installationHealth: InstallationHealth,
  ) {}

  health() {
    return { status: 'ok' as const };
  }

  async readiness() {
    const readiness = await checkReadiness({
      bus: () => (this.connection.isConnected ? undefined : 'disconnected'),
      database: async () => await this.database.ping(),
    });
    return new RouteResponse(readiness, { status: readiness.ready ? 200 : 503 });
  }

  installation() {
    return this.installationHealth.read();
  }

  reference() {
    return new RouteResponse(PAGE, {
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY },
    });
  }

  openapi() {
    return new RouteResponse(OPENAPI, {
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
  }
}

/** Health of the installation, and the reference of the API. */
@Module({ controllers: [ServiceController], providers: [InstallationHealth] })
export class ServiceModule {}
