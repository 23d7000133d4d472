import { Injectable } from '@nestjs/common';
import type { Config } from '../config.js';
import { TokensStore } from '../tokens/tokens.store.js';
import { WorkspacesStore } from './workspaces.store.js';

type BootstrapConfig = Pick<Config, 'BOOTSTRAP_WORKSPACE' | 'BOOTSTRAP_ADMIN_TOKEN_SHA256'>;

/** Makes what an installation needs before anybody can ask for anything: a workspace and an admin token of it. */
@Injectable()
export class Bootstrapping {
  constructor(
    private readonly workspaces: WorkspacesStore,
    private readonly tokens: TokensStore,
  ) {}

  /** Safe to repeat. A token that was revoked stays revoked. */
  async ensure(config: BootstrapConfig): Promise<void> {
    const { BOOTSTRAP_WORKSPACE: slug, BOOTSTRAP_ADMIN_TOKEN_SHA256: sha256 } = config;
    const made = await this.workspaces.create(slug, slug);
    const workspace = made ?? (await this.workspaces.find({ slug }));
    if (workspace === undefined || sha256 === undefined) return;
    await this.tokens.ensure({
      workspaceId: workspace.id,
      name: 'bootstrap',
      role: 'admin',
      sha256,
      createdBy: 'bootstrap',
      expiresAt: null,
    });
  }
}
