import { openApiDocument, routes } from '@agentclash/api';
import { BusConnection } from '@agentclash/bus';
import { checkReadiness } from '@agentclash/service-kit';
import { Answer } from '../http/answer.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { WorkspacesStore } from '../workspaces/workspaces.store.js';

type Routes = typeof routes.service;

const API_VERSION = '1.0.0';
const OPENAPI = JSON.stringify(openApiDocument(API_VERSION));

@ServesRoutes(routes.service)
export class ServiceController implements Serving<Routes> {
  constructor(
    private readonly connection: BusConnection,
    private readonly workspaces: WorkspacesStore,
  ) {}

  health() {
    return { status: 'ok' as const };
  }

  async readiness() {
    const readiness = await checkReadiness({
      bus: () => (this.connection.isConnected ? undefined : 'disconnected'),
      database: async () => await this.workspaces.ping(),
    });
    return new Answer(readiness, { status: readiness.ready ? 200 : 503 });
  }

  openapi() {
    return new Answer(Buffer.from(OPENAPI), {
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
  }
}
