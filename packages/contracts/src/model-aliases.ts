import { z } from 'zod';
import { rpc } from './message.js';
import { Applied, inWorkspace, ResourceName } from './resources.js';
import { Actor, PageQuery, PlainText, page, Timestamp, Uuid } from './values.js';

/** A stable name for a model of one account. Deployments name it in `model_alias`, packs as `alias:NAME`. */
export const ModelAliasSpec = z.strictObject({
  name: ResourceName,
  provider_account_id: Uuid,
  model: PlainText.trim().min(1).max(256),
});
export type ModelAliasSpec = z.infer<typeof ModelAliasSpec>;

export const ModelAlias = ModelAliasSpec.extend({ id: Uuid, created_at: Timestamp, updated_at: Timestamp });
export type ModelAlias = z.infer<typeof ModelAlias>;

const ofAlias = z.object({ ...inWorkspace, model_alias_id: Uuid });

export const modelAliases = {
  /** Fails with `conflict` when the name is taken, `not_found` when there is no such account. */
  create: rpc('model_aliases.v1.create', {
    input: z.object({ ...inWorkspace, spec: ModelAliasSpec, actor: Actor }),
    output: ModelAlias,
  }),
  /** A new name fails with `conflict` while active deployments know the alias by the old one. */
  update: rpc('model_aliases.v1.update', {
    input: ofAlias.extend({ spec: ModelAliasSpec, actor: Actor }),
    output: z.object({ applied: Applied, model_alias: ModelAlias }),
  }),
  list: rpc('model_aliases.v1.list', {
    input: PageQuery.extend({ ...inWorkspace, name: PlainText.optional() }),
    output: page(ModelAlias),
  }),
  get: rpc('model_aliases.v1.get', { input: ofAlias, output: ModelAlias }),
  /** Fails with `conflict` while active deployments use the alias, naming them. */
  remove: rpc('model_aliases.v1.remove', { input: ofAlias, output: z.object({}) }),
};
