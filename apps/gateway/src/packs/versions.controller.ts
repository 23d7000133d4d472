import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { canonicalJson } from '@agentclash/challengepack';
import { ContractError, packs } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { RouteResponse } from '../http/route-response.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.versions;

@ServesRoutes(routes.versions)
export class VersionsController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  get(request: RouteRequest<Routes['get']>) {
    return this.bus.call(packs.getVersion, versionOf(request));
  }

  async manifest(request: RouteRequest<Routes['manifest']>) {
    const { manifest, digest } = await this.bus.call(packs.manifest, versionOf(request));
    const headers = { 'content-type': 'application/json; charset=utf-8', etag: `"${digest}"` };
    return new RouteResponse(Buffer.from(canonicalJson(manifest)), { headers });
  }

  async bundle(request: RouteRequest<Routes['bundle']>) {
    const { document_base64 } = await this.bus.call(packs.bundle, versionOf(request));
    const headers = { 'content-type': 'application/yaml', 'content-disposition': 'attachment' };
    return new RouteResponse(Buffer.from(document_base64, 'base64'), { headers });
  }

  setLifecycle(request: RouteRequest<Routes['setLifecycle']>) {
    return this.bus.call(packs.setLifecycle, { ...versionOf(request), ...request.body });
  }

  inputSets(request: RouteRequest<Routes['inputSets']>) {
    return this.bus.call(packs.inputSets, versionOf(request));
  }

  async cases(request: RouteRequest<Routes['cases']>) {
    const { input_set_id } = request.params;
    const { items } = await this.bus.call(packs.inputSets, versionOf(request));
    if (!items.some(({ id }) => id === input_set_id)) {
      throw new ContractError('not_found', 'This version has no such input set.');
    }
    return await this.bus.call(packs.cases, {
      workspace_id: request.workspace.id,
      input_set_id,
      ...request.query,
    });
  }
}

function versionOf({ workspace, params }: Pick<RouteRequest<Routes['get']>, 'workspace' | 'params'>) {
  return { workspace_id: workspace.id, version_id: params.version_id };
}
