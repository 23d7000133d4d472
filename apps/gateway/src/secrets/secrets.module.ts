import { routes } from '@agentclash/api';
import { vault, vaultKeys } from '@agentclash/contracts';
import { Module } from '@nestjs/common';
import { forward, scope, scopeAndActor } from '../http/forward.js';
import { controllerOf } from '../http/serves-routes.js';

const SecretsController = controllerOf(routes.secrets, {
  list: forward(vault.list, scope),
  set: forward(vault.set, ({ workspace, caller, params, body }) => ({
    workspace_id: workspace.id,
    key: params.key,
    value_base64: Buffer.from(body.value).toString('base64'),
    hosts: body.hosts,
    any: body.any,
    actor: caller.name,
  })),
  remove: forward(vault.remove, scopeAndActor),
  audit: forward(vault.audit, scope),
});

const VaultKeysController = controllerOf(routes.vaultKeys, {
  status: forward(vaultKeys.status, scope),
  rotate: forward(vaultKeys.rotate, scopeAndActor),
  retire: forward(vaultKeys.retire, ({ params, caller }) => ({ key_id: params.key, actor: caller.name })),
});

/** Secrets of workspaces, and the keys of the vault. */
@Module({ controllers: [SecretsController, VaultKeysController] })
export class SecretsModule {}
