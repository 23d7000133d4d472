import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { canonicalJson } from '@agentclash/challengepack';
import { ContractError, packs } from '@agentclash/contracts';
import { Answer } from '../http/answer.js';
import type { Asked } from '../http/asked.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.versions;

@ServesRoutes(routes.versions)
export class VersionsController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  get(asked: Asked<Routes['get']>) {
    return this.bus.call(packs.getVersion, versionOf(asked));
  }

  async manifest(asked: Asked<Routes['manifest']>) {
    const { manifest, digest } = await this.bus.call(packs.manifest, versionOf(asked));
    const headers = { 'content-type': 'application/json; charset=utf-8', etag: `"${digest}"` };
    return new Answer(Buffer.from(canonicalJson(manifest)), { headers });
  }

  async bundle(asked: Asked<Routes['bundle']>) {
    const { document_base64 } = await this.bus.call(packs.bundle, versionOf(asked));
    const headers = { 'content-type': 'application/yaml', 'content-disposition': 'attachment' };
    return new Answer(Buffer.from(document_base64, 'base64'), { headers });
  }

  setLifecycle(asked: Asked<Routes['setLifecycle']>) {
    return this.bus.call(packs.setLifecycle, { ...versionOf(asked), ...asked.body });
  }

  inputSets(asked: Asked<Routes['inputSets']>) {
    return this.bus.call(packs.inputSets, versionOf(asked));
  }

  async cases(asked: Asked<Routes['cases']>) {
    const { input_set_id } = asked.params;
    const { items } = await this.bus.call(packs.inputSets, versionOf(asked));
    if (!items.some(({ id }) => id === input_set_id)) {
      throw new ContractError('not_found', 'This version has no such input set.');
    }
    return await this.bus.call(packs.cases, {
      workspace_id: asked.workspace.id,
      input_set_id,
      ...asked.query,
    });
  }
}

function versionOf({ workspace, params }: Pick<Asked<Routes['get']>, 'workspace' | 'params'>) {
  return { workspace_id: workspace.id, version_id: params.version_id };
}
