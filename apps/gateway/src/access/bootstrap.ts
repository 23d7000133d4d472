import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { TokensStore } from '../tokens/tokens.store.js';
import { WorkspacesStore } from '../workspaces/workspaces.store.js';

/** Creates the first workspace and an admin token of it, before the first request can arrive. */
@Injectable()
export class Bootstrap implements OnModuleInit {
  constructor(
    private readonly workspaces: WorkspacesStore,
    private readonly tokens: TokensStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Safe to repeat. A token that was revoked stays revoked. */
  async onModuleInit(): Promise<void> {
    const { BOOTSTRAP_WORKSPACE: slug, BOOTSTRAP_ADMIN_TOKEN_SHA256: sha256 } = this.config;
    const created = await this.workspaces.create(slug, slug);
    const workspace = created ?? (await this.workspaces.find({ slug }));
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
