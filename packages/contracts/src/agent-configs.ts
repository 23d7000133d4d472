import { placeholderProblems, presetSchema } from '@agentclash/agent-presets/schema';
import {
  type EndpointConfig as DomainEndpointConfig,
  type Sampling as DomainSampling,
  ENDPOINT_PROTOCOLS,
  type ModelInstructions,
  PROGRAM_PROTOCOLS,
  SCRIPT_STEPS_MAX,
  type ScriptStepExtras,
  STEP_DELAY_MS_MAX,
} from '@agentclash/domain';
import { z } from 'zod';
import { HeaderName, HeaderValue } from './http-headers.js';
import { McpServers } from './mcp-servers.js';
import { CredentialReference, ResourceName, ToolName } from './resources.js';
import { type FieldsOf, JsonObject, PlainText, RelativePath, Uuid } from './values.js';

const PromptText = z.string().max(262_144);

/** Sampling parameters; those that a provider does not support are omitted. */
export const Sampling = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_output_tokens: z.number().int().min(1).optional(),
  reasoning_effort: PlainText.min(1).max(32).optional(),
  seed: z.number().int().optional(),
} satisfies FieldsOf<DomainSampling>);

/**
 * A model behind a provider account: `provider_account_id` and `model`, or `model_alias`, the name of an alias of the
 * workspace that names both. `tools` are ids of workspace tools.
 */
export const ModelConfig = z
  .strictObject({
    provider_account_id: Uuid.optional(),
    model: PlainText.trim().min(1).max(256).optional(),
    model_alias: ResourceName.optional(),
    policy_spec: z
      .strictObject({
        role: PromptText.optional(),
        system_prompt: PromptText.optional(),
        instructions: PromptText.optional(),
        success_conditions: PromptText.optional(),
      } satisfies FieldsOf<ModelInstructions>)
      .optional(),
    output_schema: JsonObject.optional(),
    sampling: Sampling.optional(),
    tools: z.array(Uuid).max(200).optional(),
    mcp_servers: McpServers.optional(),
    tool_overrides: z.strictObject({ denied: z.array(ToolName).max(200).optional() }).optional(),
  })
  .superRefine(({ provider_account_id, model, model_alias }, refused) => {
    const refuse = (field: string, message: string) =>
      refused.addIssue({ code: 'custom', path: [field], message });
    if (model_alias !== undefined) {
      if (provider_account_id !== undefined)
        refuse('provider_account_id', 'conflicts with model_alias: give one of them');
      if (model !== undefined) refuse('model', 'conflicts with model_alias: give one of them');
    } else if (provider_account_id === undefined && model === undefined) {
      refuse('model_alias', 'is required, or else provider_account_id and model');
    } else if (provider_account_id === undefined) {
      refuse('provider_account_id', 'is required beside model');
    } else if (model === undefined) {
      refuse('model', 'is required beside provider_account_id');
    }
  });
export type ModelConfig = z.infer<typeof ModelConfig>;

const MODEL_HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[1-9]\d{0,4})?$/;

/** How to run a coding agent. Its packages are all that it needs: none is looked up. */
export const PresetDocument = presetSchema.superRefine((preset, refused) => {
  for (const problem of placeholderProblems(preset)) refused.addIssue({ code: 'custom', ...problem });
  if (preset.lockfile !== undefined) {
    refused.addIssue({
      code: 'custom',
      path: ['lockfile'],
      message: 'is for presets of the product: list packages',
    });
  }
});

/** Files of one skill that one deployment may have. */
const SKILL_FILES_MAX = 500;
const SKILLS_MAX = 32;

/** A folder with a SKILL.md, put where the preset's agent looks for skills. */
const Skill = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
        'must be 1 to 64 of A to Z, a to z, digits, ".", "_" and "-"',
      ),
    files: z
      .array(z.strictObject({ path: RelativePath, artifact_id: Uuid }))
      .min(1)
      .max(SKILL_FILES_MAX),
  })
  .superRefine(({ files }, refused) => {
    if (files.some(({ path }) => path === 'SKILL.md')) return;
    refused.addIssue({ code: 'custom', path: ['files'], message: 'must have a file SKILL.md' });
  });

/**
 * Runs `command` (argv, no shell around it) in the sandbox, or a coding agent by its `preset`: the name of one of the
 * product, or a document. `files` are put under /agent first. `models` are aliases that the program calls through the
 * broker, also by the provider's name of the model: any other name selects `main`.
 */
export const ProgramConfig = z
  .strictObject({
    command: z.array(z.string().min(1)).min(1).max(256).optional(),
    /**
     * `acp`: the command, or that of the preset's member `acp`, is an agent of the Agent Client Protocol on its standard
     * streams, kept running between turns.
     */
    protocol: z.enum(PROGRAM_PROTOCOLS).optional(),
    preset: z.union([z.string().min(1).max(64), PresetDocument]).optional(),
    models: z.strictObject({ main: ResourceName, small: ResourceName.optional() }).optional(),
    /** For a preset: put where the agent looks for instructions, as AGENTS.md or CLAUDE.md. */
    instructions: PromptText.optional(),
    /** For a preset that has a place for skills. */
    skills: z.array(Skill).max(SKILLS_MAX).optional(),
    mcp_servers: McpServers.optional(),
    env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).optional(),
    files: z
      .array(z.strictObject({ path: RelativePath, artifact_id: Uuid }))
      .max(1_000)
      .optional(),
    /**
     * The hosts of its model, `host` or `host:port` (default 443). An attempt that ends while waiting for a model none of
     * whose hosts was reachable is a provider error, not a failure of the program.
     */
    model_hosts: z
      .array(z.string().max(260).regex(MODEL_HOST, 'must be a host name, with a port where it is not 443'))
      .max(16)
      .optional(),
  })
  .superRefine(({ command, protocol, preset, models, instructions, skills = [] }, refused) => {
    const refuse = (field: string, message: string) =>
      refused.addIssue({ code: 'custom', path: [field], message });
    if (command === undefined && preset === undefined) refuse('command', 'is required, or else preset');
    if (command !== undefined && preset !== undefined)
      refuse('command', 'conflicts with preset: give one of them');
    if (preset !== undefined && models === undefined) refuse('models', 'is required beside preset');
    const unspoken = protocol && protocolProblem(preset);
    if (unspoken !== undefined) refuse('protocol', unspoken);
    if (preset === undefined && instructions !== undefined) refuse('instructions', 'is for a preset');
    if (skills.length > 0) {
      const problem = skillsProblem(preset);
      if (problem !== undefined) refuse('skills', problem);
    }
    const names = skills.map(({ name }) => name);
    const again = names.find((name, index) => names.indexOf(name) < index);
    if (again !== undefined) refuse('skills', `has two skills of the name "${again}"`);
  });

type PresetConfig = string | Pick<z.infer<typeof PresetDocument>, 'name' | 'skills' | 'acp'> | undefined;

/** Why a program cannot be an agent of ACP; undefined where it can, and for the name of a preset, which decides itself. */
export function protocolProblem(preset: PresetConfig): string | undefined {
  if (preset === undefined || typeof preset === 'string' || preset.acp !== undefined) return undefined;
  return `is for a preset with a command for ACP (its member acp), which ${preset.name} does not have`;
}

/** Why a program cannot have skills; undefined where it can, and for the name of a preset, which decides itself. */
export function skillsProblem(preset: PresetConfig): string | undefined {
  if (preset === undefined) return 'is for a preset: a program of your own takes files';
  if (typeof preset === 'string' || preset.skills !== undefined) return undefined;
  return `is for a preset with a place for skills, which ${preset.name} does not have`;
}

const stepExtras = {
  delay_ms: z.number().int().min(0).max(STEP_DELAY_MS_MAX).optional(),
  usage: z
    .strictObject({
      input_tokens: z.number().int().min(0).optional(),
      output_tokens: z.number().int().min(0).optional(),
    })
    .optional(),
} satisfies FieldsOf<ScriptStepExtras>;
const ScriptStep = z.union([
  z.strictObject({
    call: z.strictObject({ name: z.string().min(1), arguments: z.unknown() }),
    ...stepExtras,
  }),
  z.strictObject({ message: z.string(), ...stepExtras }),
  z.strictObject({ answer: z.string(), ...stepExtras }),
]);

/** Replays fixed steps; `by_case` chooses them by case key. An agent without steps does nothing. */
export const ScriptedConfig = z.strictObject({
  steps: z.array(ScriptStep).max(SCRIPT_STEPS_MAX).default([]),
  by_case: z.record(z.string(), z.array(ScriptStep).max(SCRIPT_STEPS_MAX)).optional(),
  stop_on_error: z.boolean().default(false),
});

/**
 * An agent at a url, which receives the task by a POST request: as our own JSON, or by `message/send` of A2A 0.3. The
 * credential is sent as `Authorization: Bearer`.
 */
export const EndpointConfig = z.strictObject({
  url: PlainText.min(1).max(8_192),
  protocol: z.enum(ENDPOINT_PROTOCOLS).optional(),
  headers: z.record(HeaderName, HeaderValue).optional(),
  credential_reference: CredentialReference.optional(),
} satisfies FieldsOf<DomainEndpointConfig>);
export type EndpointConfig = z.infer<typeof EndpointConfig>;
