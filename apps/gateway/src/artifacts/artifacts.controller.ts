import { routes } from '@agentclash/api';
import type { RouteRequest } from '../http/route-request.js';
import { RouteResponse } from '../http/route-response.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { ArtifactsService } from './artifacts.service.js';
import { fileHeaders } from './file-headers.js';
import { SignedUrls } from './signed-urls.js';

type Routes = typeof routes.artifacts;

@ServesRoutes(routes.artifacts)
export class ArtifactsController implements Serving<Routes> {
  constructor(
    private readonly artifacts: ArtifactsService,
    private readonly urls: SignedUrls,
  ) {}

  upload({ http, workspace, caller }: RouteRequest<Routes['upload']>) {
    return this.artifacts.upload(http, workspace.id, caller);
  }

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.artifacts.list({ workspace_id: workspace.id, ...query });
  }

  get({ workspace, params }: RouteRequest<Routes['get']>) {
    return this.artifacts.get({ workspaceId: workspace.id, artifactId: params.artifact_id });
  }

  async remove({ workspace, params }: RouteRequest<Routes['remove']>) {
    await this.artifacts.remove({ workspaceId: workspace.id, artifactId: params.artifact_id });
    return undefined;
  }

  async content({ workspace, params, query, http }: RouteRequest<Routes['content']>) {
    const file = { workspaceId: workspace?.id ?? params.ws, artifactId: params.artifact_id };
    // Without a token there is no workspace: the signature alone opens the file.
    if (workspace === undefined) this.urls.check(file, query);
    const { range } = http.headers;
    const known = http.headers['if-range']?.toString();
    const { artifact, content, part } = await this.artifacts.open(file, { range, known });
    return new RouteResponse(content, { status: part ? 206 : 200, headers: fileHeaders(artifact, part) });
  }
}
