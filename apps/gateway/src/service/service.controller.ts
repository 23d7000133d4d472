import { createHash } from 'node:crypto';
import { openApiDocument, REFERENCE_STYLE, referencePage, routes } from '@agentclash/api';
import { BusConnection } from '@agentclash/bus';
import { checkReadiness } from '@agentclash/service-kit';
import { RouteResponse } from '../http/route-response.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { WorkspacesStore } from '../workspaces/workspaces.store.js';
import { InstallationHealth } from './installation-health.js';

type Routes = typeof routes.service;

const API_VERSION = '1.0.0';
const DOCUMENT = openApiDocument(API_VERSION);
const OPENAPI = Buffer.from(JSON.stringify(DOCUMENT));
const PAGE = Buffer.from(referencePage(DOCUMENT));
/** It may show its own style, and do nothing else. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(REFERENCE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

@ServesRoutes(routes.service)
export class ServiceController implements Serving<Routes> {
  constructor(
    private readonly connection: BusConnection,
    private readonly workspaces: WorkspacesStore,
    private readonly everything: InstallationHealth,
  ) {}

  health() {
    return { status: 'ok' as const };
  }

  async readiness() {
    const readiness = await checkReadiness({
      bus: () => (this.connection.isConnected ? undefined : 'disconnected'),
      database: async () => await this.workspaces.ping(),
    });
    return new RouteResponse(readiness, { status: readiness.ready ? 200 : 503 });
  }

  installation() {
    return this.everything.read();
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
