import type { Whoami, Workspace } from '@agentclash/api';
import { ContractError, Uuid } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/caller.js';
import { WorkspacesStore } from './workspaces.store.js';

@Injectable()
export class WorkspacesService {
  constructor(private readonly store: WorkspacesStore) {}

  /** The workspaces that the caller may see: its own, or all for the operator. */
  async list(caller: Caller): Promise<Workspace[]> {
    if (caller.memberships) return caller.memberships.map(({ workspace }) => workspace);
    return caller.workspace === null ? await this.store.list() : [caller.workspace];
  }

  /**
   * The workspace of a path with the caller's role. One that the caller may not see is treated like one that does not
   * exist: `not_found`.
   */
  async visible(idOrSlug: string, caller: Caller): Promise<Pick<Caller, 'role'> & { workspace: Workspace }> {
    const { workspace: own, role } = caller;
    const all = caller.memberships ?? (own === null ? [] : [{ workspace: own, role }]);
    const mine = all.find(
      ({ workspace: { id, slug } }) => id === idOrSlug.toLowerCase() || slug === idOrSlug,
    );
    if (mine) return mine;
    const by = Uuid.safeParse(idOrSlug).success ? { id: idOrSlug } : { slug: idOrSlug };
    const mayExist = own === null && /^[a-z0-9-]{1,63}$/i.test(idOrSlug);
    const found = mayExist ? await this.store.find(by) : undefined;
    if (found === undefined) throw new ContractError('not_found', 'There is no such workspace.');
    return { workspace: found, role };
  }

  /** Fails with `conflict`. */
  async create(slug: string, name = slug): Promise<Workspace> {
    const made = await this.store.create(slug, name);
    if (made !== undefined) return made;
    throw new ContractError('conflict', `There is a workspace "${slug}" already.`);
  }

  whoami({ workspace, role, memberships, tokenId, name, expiresAt, sharedRunId }: Caller): Whoami {
    return {
      workspace,
      role,
      ...(memberships && { memberships: [...memberships] }),
      ...(sharedRunId !== undefined && { results_only: true, shared_run_id: sharedRunId }),
      token: { id: tokenId, name, expires_at: expiresAt },
    };
  }
}
