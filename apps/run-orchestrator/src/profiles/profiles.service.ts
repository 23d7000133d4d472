import { isDeepStrictEqual } from 'node:util';
import {
  ContractError,
  type In,
  type Out,
  type profiles,
  type RuntimeProfile,
  RuntimeProfileSpec,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { cutPage, readIdCursor } from '../page-cursor.js';
import { ProfilesStore } from './profiles.store.js';

@Injectable()
export class ProfilesService {
  constructor(private readonly store: ProfilesStore) {}

  async create({ workspace_id, spec }: In<typeof profiles.create>): Promise<RuntimeProfile> {
    return (await this.store.create(workspace_id, spec)) ?? nameTaken(spec.name);
  }

  async update(ask: In<typeof profiles.update>): Promise<Out<typeof profiles.update>> {
    const profile = await this.get(ask);
    // The schema drops what is not of the spec: ids and timestamps.
    const before = RuntimeProfileSpec.strip().parse(profile);
    if (isDeepStrictEqual(before, ask.spec)) return { applied: 'unchanged', profile };
    const replaced = await this.store.replace(profile.id, ask.spec);
    return { applied: 'revised', profile: replaced ?? nameTaken(ask.spec.name) };
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

  async remove(ask: In<typeof profiles.remove>): Promise<void> {
    const { id } = await this.get(ask);
    const users = await this.store.remove(id);
    if (users.length === 0) return;
    throw new ContractError(
      'conflict',
      `Deployments still use this profile: ${users.join(', ')}. Change them first.`,
      {
        deployments: users,
      },
    );
  }
}

function nameTaken(name: string): never {
  throw new ContractError('conflict', `There is a runtime profile named "${name}" already.`, {
    errors: [{ code: 'not_unique', field: 'name', message: 'is taken' }],
  });
}
