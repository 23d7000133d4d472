import { routes } from '@agentclash/api';
import { Answer } from '../http/answer.js';
import type { Asked } from '../http/asked.js';
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

  upload({ request, workspace, caller }: Asked<Routes['upload']>) {
    return this.artifacts.upload(request, workspace.id, caller);
  }

  list({ workspace, query }: Asked<Routes['list']>) {
    return this.artifacts.list({ workspace_id: workspace.id, ...query });
  }

  get({ workspace, params }: Asked<Routes['get']>) {
    return this.artifacts.get({ workspaceId: workspace.id, artifactId: params.artifact_id });
  }

  async remove({ workspace, params }: Asked<Routes['remove']>) {
    await this.artifacts.remove({ workspaceId: workspace.id, artifactId: params.artifact_id });
    return undefined;
  }

  async content({ workspace, params, query, request }: Asked<Routes['content']>) {
    const file = { workspaceId: workspace?.id ?? params.ws, artifactId: params.artifact_id };
    // Without a token there is no workspace: the signature alone opens the file.
    if (workspace === undefined) this.urls.check(file, query);
    const { range } = request.headers;
    const known = request.headers['if-range']?.toString();
    const { artifact, content, part } = await this.artifacts.open(file, { range, known });
    return new Answer(content, { status: part ? 206 : 200, headers: fileHeaders(artifact, part) });
  }
}
