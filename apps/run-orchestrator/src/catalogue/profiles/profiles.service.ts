import { isDeepStrictEqual } from 'node:util';
import { Handles, type Serves } from '@agentclash/bus';
import {
  ContractError,
  type In,
  type Out,
  profiles,
  type RuntimeProfile,
  RuntimeProfileSpec,
} from '@agentclash/contracts';
import { cutPage, readIdCursor } from '../../page-cursor.js';
import { refuseInUse } from '../resources/in-use.js';
import { NAME_TAKEN, nameTaken } from '../resources/unique-name.js';
import { ProfilesStore } from './profiles.store.js';

@Handles(profiles)
export class ProfilesService implements Serves<typeof profiles> {
  constructor(private readonly store: ProfilesStore) {}

  async create({ workspace_id, spec }: In<typeof profiles.create>): Promise<RuntimeProfile> {
    const created = await this.store.create(workspace_id, spec);
    return created === NAME_TAKEN ? nameTaken('a runtime profile', spec.name) : created;
  }

  async update(request: In<typeof profiles.update>): Promise<Out<typeof profiles.update>> {
    const profile = await this.get(request);
    // The schema drops what is not of the spec: ids and timestamps.
    const before = RuntimeProfileSpec.strip().parse(profile);
    if (isDeepStrictEqual(before, request.spec)) return { applied: 'unchanged', profile };
    const replaced = await this.store.replace(profile.id, request.spec);
    if (replaced === NAME_TAKEN) return nameTaken('a runtime profile', request.spec.name);
    return { applied: 'revised', profile: replaced };
  }

  /** Newest first. */
  async list({
    workspace_id,
    name,
    limit,
    cursor,
  }: In<typeof profiles.list>): Promise<Out<typeof profiles.list>> {
    const after = readIdCursor(cursor);
    const found = await this.store.list({ workspaceId: workspace_id, name, after, take: limit + 1 });
    return cutPage(found, limit, (profile) => profile.id);
  }

  async get({ workspace_id, profile_id }: In<typeof profiles.get>): Promise<RuntimeProfile> {
    const found = await this.store.find(workspace_id, profile_id);
    if (found) return found;
    throw new ContractError('not_found', `There is no runtime profile ${profile_id}.`);
  }

  async remove(request: In<typeof profiles.remove>): Promise<Record<string, never>> {
    const { id, name } = await this.get(request);
    refuseInUse(`The runtime profile "${name}"`, await this.store.remove(id));
    return {};
  }
}
