import { DEPLOYMENT_KINDS, DEPLOYMENT_STATUSES, type DeploymentKind } from '@agentclash/domain';
import { z } from 'zod';
import { EndpointConfig, ModelConfig, ProgramConfig, ScriptedConfig } from './agent-configs.js';
import { rpc } from './message.js';
import { Applied, inWorkspace, ResourceName } from './resources.js';
import { Actor, JsonObject, PageQuery, PlainText, page, Timestamp, Uuid, Warning } from './values.js';
import { refuseVariants, VARIANT_CONFIGS, VariantName } from './variants.js';

const specOf = <Kind extends DeploymentKind, Config extends z.ZodType>(kind: Kind, config: Config) =>
  z.strictObject({
    name: ResourceName,
    kind: z.literal(kind),
    runtime_profile_id: Uuid.optional(),
    config,
    /** By name, each what of the configuration differs. A run has a lane for each of them. */
    variants: z.record(VariantName, VARIANT_CONFIGS[kind]).optional(),
    /** The variant that the others are compared with. */
    baseline: VariantName.optional(),
  });

/** A runnable agent, discriminated by `kind`. */
export const DeploymentSpec = z
  .discriminatedUnion('kind', [
    specOf('model', ModelConfig),
    specOf('program', ProgramConfig),
    specOf('endpoint', EndpointConfig),
    specOf('scripted', ScriptedConfig),
  ])
  .superRefine(refuseVariants);
export type DeploymentSpec = z.infer<typeof DeploymentSpec>;

export const Deployment = z.object({
  id: Uuid,
  name: z.string(),
  kind: z.enum(DEPLOYMENT_KINDS),
  revision: z.number().int().min(1),
  runtime_profile_id: Uuid.nullable(),
  config: JsonObject,
  variants: z.record(z.string(), JsonObject).optional(),
  baseline: z.string().optional(),
  status: z.enum(DEPLOYMENT_STATUSES),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Deployment = z.infer<typeof Deployment>;

/** The result of a write. Warnings: `secret_unbound`, `variant_unchanged`. */
export const SavedDeployment = Deployment.extend({ warnings: z.array(Warning).optional() });
export type SavedDeployment = z.infer<typeof SavedDeployment>;

export const deployments = {
  /** Fails with `conflict` when an active deployment has this name. */
  create: rpc('deployments.v1.create', {
    input: z.object({ ...inWorkspace, spec: DeploymentSpec, actor: Actor }),
    output: SavedDeployment,
  }),
  /** A new revision; runs keep the snapshot they were created with. */
  update: rpc('deployments.v1.update', {
    input: z.object({ ...inWorkspace, deployment_id: Uuid, spec: DeploymentSpec, actor: Actor }),
    output: z.object({ applied: Applied, deployment: SavedDeployment }),
  }),
  list: rpc('deployments.v1.list', {
    input: PageQuery.extend({
      ...inWorkspace,
      status: z.enum(DEPLOYMENT_STATUSES).optional(),
      name: PlainText.optional(),
    }),
    output: page(Deployment),
  }),
  get: rpc('deployments.v1.get', {
    input: z.object({ ...inWorkspace, deployment_id: Uuid }),
    output: Deployment,
  }),
  archive: rpc('deployments.v1.archive', {
    input: z.object({ ...inWorkspace, deployment_id: Uuid }),
    output: Deployment,
  }),
};

/** The users of a stored file outside the registry. */
export const ArtifactUser = z.object({
  kind: z.enum(['deployment', 'run']),
  id: Uuid,
  name: z.string().nullable(),
});
export type ArtifactUser = z.infer<typeof ArtifactUser>;

export const artifactUsers = {
  /** Active deployments whose program has the file, and runs that pinned such a one; the first few of each. */
  list: rpc('deployments.v1.list_artifact_users', {
    input: z.object({ ...inWorkspace, artifact_id: Uuid }),
    output: z.object({ items: z.array(ArtifactUser) }),
  }),
};
