import { z } from 'zod';
import { rpc } from './message.js';
import { Actor, JsonObject, PageQuery, PlainText, page, Timestamp, Uuid } from './values.js';

const Name = PlainText.trim().min(1).max(128);

/** Execution limits and overrides; what is absent has the default of the engine. Seconds and bytes as named. */
export const RuntimeProfileSpec = z.strictObject({
  name: Name,
  max_iterations: z.number().int().min(1).max(1_000).optional(),
  max_tool_calls: z.number().int().min(0).optional(),
  step_timeout_seconds: z.number().int().min(1).max(3_600).optional(),
  run_timeout_seconds: z.number().int().min(1).max(86_400).optional(),
  max_output_bytes: z.number().int().min(1).max(67_108_864).optional(),
  max_total_tokens: z.number().int().min(1).optional(),
  max_cost_usd: z.number().positive().optional(),
  max_policy_denials: z.number().int().min(0).optional(),
  sandbox: z
    .strictObject({
      cpu: z.number().positive().max(64).optional(),
      memory_bytes: z.number().int().min(16_777_216).optional(),
      pids: z.number().int().min(8).optional(),
      workspace_bytes: z.number().int().min(1_048_576).optional(),
    })
    .optional(),
  tool_policy: z
    .strictObject({
      allow_shell: z.boolean().optional(),
      allow_network: z.boolean().optional(),
      denied_tools: z.array(z.string().min(1)).max(200).optional(),
    })
    .optional(),
});
export type RuntimeProfileSpec = z.infer<typeof RuntimeProfileSpec>;

export const RuntimeProfile = RuntimeProfileSpec.extend({
  id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type RuntimeProfile = z.infer<typeof RuntimeProfile>;

const RelativePath = z
  .string()
  .min(1)
  .max(1_024)
  .regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\p{Cc}\\]+$/u, 'must be relative, without ".." and backslashes');

/** Runs `command` (argv, no shell around it) in the sandbox; `files` are put under /agent first. */
export const ProgramConfig = z.strictObject({
  command: z.array(z.string().min(1)).min(1).max(256),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).optional(),
  files: z
    .array(z.strictObject({ path: RelativePath, artifact_id: Uuid }))
    .max(1_000)
    .optional(),
});

const stepExtras = {
  delay_ms: z.number().int().min(0).max(3_600_000).optional(),
  usage: z
    .strictObject({
      input_tokens: z.number().int().min(0).optional(),
      output_tokens: z.number().int().min(0).optional(),
    })
    .optional(),
};
const ScriptStep = z.union([
  z.strictObject({
    call: z.strictObject({ name: z.string().min(1), arguments: z.unknown() }),
    ...stepExtras,
  }),
  z.strictObject({ message: z.string(), ...stepExtras }),
  z.strictObject({ answer: z.string(), ...stepExtras }),
]);

/** Plays fixed steps; `by_case` chooses them by case key. An agent without steps does nothing. */
export const ScriptedConfig = z.strictObject({
  steps: z.array(ScriptStep).max(10_000).default([]),
  by_case: z.record(z.string(), z.array(ScriptStep).max(10_000)).optional(),
  stop_on_error: z.boolean().default(false),
});

export const DeploymentSpec = z.discriminatedUnion('kind', [
  z.strictObject({
    name: Name,
    kind: z.literal('program'),
    runtime_profile_id: Uuid.optional(),
    config: ProgramConfig,
  }),
  z.strictObject({
    name: Name,
    kind: z.literal('scripted'),
    runtime_profile_id: Uuid.optional(),
    config: ScriptedConfig,
  }),
]);
export type DeploymentSpec = z.infer<typeof DeploymentSpec>;

export const Deployment = z.object({
  id: Uuid,
  name: z.string(),
  kind: z.enum(['program', 'scripted']),
  revision: z.number().int().min(1),
  runtime_profile_id: Uuid.nullable(),
  config: JsonObject,
  status: z.enum(['active', 'archived']),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Deployment = z.infer<typeof Deployment>;

/** `unchanged`: an equal resource of this name existed, nothing was written. */
export const Applied = z.enum(['created', 'revised', 'unchanged']);

const inWorkspace = { workspace_id: Uuid };

export const deployments = {
  /** Fails with `conflict` when an active deployment has this name. */
  create: rpc('deployments.v1.create', {
    input: z.object({ ...inWorkspace, spec: DeploymentSpec, actor: Actor }),
    output: Deployment,
  }),
  /** A new revision; runs keep the snapshot they were created with. */
  update: rpc('deployments.v1.update', {
    input: z.object({ ...inWorkspace, deployment_id: Uuid, spec: DeploymentSpec, actor: Actor }),
    output: z.object({ applied: Applied, deployment: Deployment }),
  }),
  list: rpc('deployments.v1.list', {
    input: PageQuery.extend({
      ...inWorkspace,
      status: z.enum(['active', 'archived']).optional(),
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

export const profiles = {
  create: rpc('profiles.v1.create', {
    input: z.object({ ...inWorkspace, spec: RuntimeProfileSpec }),
    output: RuntimeProfile,
  }),
  update: rpc('profiles.v1.update', {
    input: z.object({ ...inWorkspace, profile_id: Uuid, spec: RuntimeProfileSpec }),
    output: z.object({ applied: Applied, profile: RuntimeProfile }),
  }),
  list: rpc('profiles.v1.list', {
    input: PageQuery.extend({ ...inWorkspace, name: PlainText.optional() }),
    output: page(RuntimeProfile),
  }),
  get: rpc('profiles.v1.get', {
    input: z.object({ ...inWorkspace, profile_id: Uuid }),
    output: RuntimeProfile,
  }),
  remove: rpc('profiles.v1.remove', {
    input: z.object({ ...inWorkspace, profile_id: Uuid }),
    output: z.object({}),
  }),
};
