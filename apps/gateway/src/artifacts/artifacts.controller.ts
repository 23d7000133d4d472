import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { artifacts, storage } from '@agentclash/contracts';
import { type Forwards, forward, scope } from '../http/forward.js';
import type { RouteRequest } from '../http/route-request.js';
import { RouteResponse } from '../http/route-response.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { ArtifactsService } from './artifacts.service.js';
import { fileHeaders } from './file-headers.js';
import { SignedUrls } from './signed-urls.js';

type Routes = typeof routes.artifacts;

const FORWARDS = {
  list: forward(artifacts.list, scope),
  remove: forward(artifacts.remove, scope),
} satisfies Forwards<Routes>;

@ServesRoutes(routes.artifacts, FORWARDS)
export class ArtifactsController implements Serving<Routes, typeof FORWARDS> {
  constructor(
    private readonly artifacts: ArtifactsService,
    private readonly urls: SignedUrls,
  ) {}

  upload({ http, workspace, caller }: RouteRequest<Routes['upload']>) {
    return this.artifacts.upload(http, workspace.id, caller);
  }

  get({ workspace, params }: RouteRequest<Routes['get']>) {
    return this.artifacts.get({ workspaceId: workspace.id, artifactId: params.artifact_id });
  }

  async content({ workspace, params, query, http }: RouteRequest<Routes['content']>) {
    const file = { workspaceId: workspace?.id ?? params.ws, artifactId: params.artifact_id };
    // Without a token there is no workspace: the signature alone grants access to the file.
    if (workspace === undefined) this.urls.check(file, query);
    const { range } = http.headers;
    const known = http.headers['if-range']?.toString();
    const { artifact, content, part } = await this.artifacts.open(file, { range, known });
    return new RouteResponse(content, { status: part ? 206 : 200, headers: fileHeaders(artifact, part) });
  }
}

type StorageRoutes = typeof routes.storage;

const STORAGE_FORWARDS = {
  usage: forward(storage.usage, scope),
  configure: forward(storage.configure, ({ workspace, caller, body }) => ({
    workspace_id: workspace.id,
    settings: body.retention_days === 'default' ? {} : { retention_days: body.retention_days },
    actor: caller.name,
  })),
} satisfies Forwards<StorageRoutes>;

/** The service that sweeps an area of stored bytes. */
const SWEEPS = { evidence: storage.sweep, artifacts: artifacts.sweep };

@ServesRoutes(routes.storage, STORAGE_FORWARDS)
export class StorageController implements Serving<StorageRoutes, typeof STORAGE_FORWARDS> {
  constructor(private readonly bus: Bus) {}

  sweep({ body: { area, ...step } }: RouteRequest<StorageRoutes['sweep']>) {
    return this.bus.call(SWEEPS[area], step);
  }
}
