import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { canonicalJson } from '@agentclash/challengepack';
import { ContractError, packs } from '@agentclash/contracts';
import { Module } from '@nestjs/common';
import { ArtifactsModule } from '../artifacts/artifacts.module.js';
import { type Forwards, forward, scope } from '../http/forward.js';
import type { RouteRequest } from '../http/route-request.js';
import { RouteResponse } from '../http/route-response.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { type PackSource, PacksService } from './packs.service.js';

type PackRoutes = typeof routes.packs;

const PACK_FORWARDS = {
  list: forward(packs.list, scope),
  get: forward(packs.get, scope),
} satisfies Forwards<PackRoutes>;

@ServesRoutes(routes.packs, PACK_FORWARDS)
class PacksController implements Serving<PackRoutes, typeof PACK_FORWARDS> {
  constructor(private readonly packs: PacksService) {}

  validate(request: RouteRequest<PackRoutes['validate']>) {
    return this.packs.validate(sourceOf(request), request.body);
  }

  publish(request: RouteRequest<PackRoutes['publish']>) {
    const { draft } = request.query;
    return this.packs.publish({ ...sourceOf(request), draft }, request.body);
  }
}

function sourceOf({
  http,
  workspace,
  caller,
  query,
}: Omit<RouteRequest<PackRoutes['validate']>, 'body'>): PackSource {
  return { request: http, workspaceId: workspace.id, caller, strict: query.strict };
}

type VersionRoutes = typeof routes.versions;

const VERSION_FORWARDS = {
  get: forward(packs.getVersion, scope),
  manifest: forward(packs.manifest, scope, ({ manifest, digest }) => {
    const headers = { 'content-type': 'application/json; charset=utf-8', etag: `"${digest}"` };
    return new RouteResponse(Buffer.from(canonicalJson(manifest)), { headers });
  }),
  bundle: forward(packs.bundle, scope, ({ document_base64 }) => {
    const headers = { 'content-type': 'application/yaml', 'content-disposition': 'attachment' };
    return new RouteResponse(Buffer.from(document_base64, 'base64'), { headers });
  }),
  setLifecycle: forward(packs.setLifecycle, (request) => ({ ...scope(request), ...request.body })),
  inputSets: forward(packs.inputSets, scope),
} satisfies Forwards<VersionRoutes>;

@ServesRoutes(routes.versions, VERSION_FORWARDS)
class VersionsController implements Serving<VersionRoutes, typeof VERSION_FORWARDS> {
  constructor(private readonly bus: Bus) {}

  async cases({ workspace, params, query }: RouteRequest<VersionRoutes['cases']>) {
    const { version_id, input_set_id } = params;
    const { items } = await this.bus.call(packs.inputSets, { workspace_id: workspace.id, version_id });
    if (!items.some(({ id }) => id === input_set_id)) {
      throw new ContractError('not_found', 'This version has no such input set.');
    }
    return await this.bus.call(packs.cases, { workspace_id: workspace.id, input_set_id, ...query });
  }
}

@Module({
  imports: [ArtifactsModule, IdempotencyModule],
  controllers: [PacksController, VersionsController],
  providers: [PacksService],
})
export class PacksModule {}
