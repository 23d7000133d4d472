import type { Manifest } from '@agentclash/challengepack';
import { type In, type runs, Uuid } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { DeploymentsStore } from '../../catalogue/deployments/deployments.store.js';
import { deploymentsRequired, idsOfNamed, namedDeployments } from './named-deployments.js';

/** Names read for an error message. */
const NAMES_MAX = 200;

/** Which deployments a run request means: by id, by name or alias, by lineup, or by the pack's default. */
@Injectable()
export class RunDeployments {
  constructor(private readonly deployments: DeploymentsStore) {}

  /** Fails with `not_found`, `invalid_input` and `deployments_required`. */
  async idsOf(
    workspaceId: string,
    request: In<typeof runs.create>['request'],
    { version }: Manifest,
  ): Promise<string[]> {
    if (request.deployment_ids.length > 0) return request.deployment_ids;
    const defaults = version.deployment_defaults;
    const named = namedDeployments(request, defaults);
    const names = () => this.activeNames(workspaceId);
    if (!named) throw deploymentsRequired(await names(), Object.keys(defaults?.lineups ?? {}));
    const selectors = named.names.map(({ selector }) => selector);
    const [byName, byId] = await Promise.all([
      this.deployments.findActive(workspaceId, selectors),
      this.deployments.findMany(
        workspaceId,
        selectors.filter((selector) => Uuid.safeParse(selector).success),
      ),
    ]);
    return await idsOfNamed(named, { found: [...byName, ...byId], names }, defaults);
  }

  private async activeNames(workspaceId: string): Promise<string[]> {
    const active = await this.deployments.list({ workspaceId, take: NAMES_MAX }, { status: 'active' });
    return active.map(({ name }) => name).sort();
  }
}
