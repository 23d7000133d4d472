import {
  type Mock as DomainMock,
  MOCK_STRATEGIES,
  STEP_TARGETS,
  TOOL_LIFECYCLES,
  WORKSPACE_TOOL_KINDS,
  type WorkspaceToolDefinition,
} from '@agentclash/domain';
import { z } from 'zod';
import { rpc } from './message.js';
import { Applied, inWorkspace, ToolName } from './resources.js';
import {
  Actor,
  JsonObject,
  PageQuery,
  PlainText,
  page,
  Timestamp,
  Uuid,
  type WireFieldsOf,
} from './values.js';

const Steps = z
  .array(
    z.strictObject({
      id: ToolName,
      ref: z.strictObject({ type: z.enum(STEP_TARGETS), name: ToolName }),
      inputs: JsonObject.default({}),
    }),
  )
  .min(1)
  .max(16);

const Mock = z.strictObject({
  strategy: z.enum(MOCK_STRATEGIES).optional(),
  response: z.unknown().optional(),
  lookup_key: z.string().optional(),
  responses: JsonObject.optional(),
  template: JsonObject.optional(),
} satisfies WireFieldsOf<DomainMock>);

const Implementation = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('delegate'), primitive: ToolName, args: JsonObject.default({}) }),
  z.strictObject({ mode: z.literal('mock'), mock: Mock }),
]);

/**
 * The behaviour of a tool: `implementation` for kind primitive, `steps` for kind composed. `parameters` is JSON
 * Schema 2020-12.
 */
export const ToolDefinition = z.strictObject({
  description: z.string().max(4_096).optional(),
  parameters: JsonObject.optional(),
  implementation: Implementation.optional(),
  steps: Steps.optional(),
} satisfies WireFieldsOf<WorkspaceToolDefinition>);
export type ToolDefinition = z.infer<typeof ToolDefinition>;

/** A tool of the workspace, defined over the primitives and other tools. `capability_key` is a label and grants nothing. */
export const ToolSpec = z.strictObject({
  name: ToolName,
  tool_kind: z.enum(WORKSPACE_TOOL_KINDS),
  capability_key: PlainText.trim().max(128).optional(),
  definition: ToolDefinition,
  lifecycle_status: z.enum(TOOL_LIFECYCLES).default('active'),
});
export type ToolSpec = z.infer<typeof ToolSpec>;

export const Tool = z.object({
  ...ToolSpec.shape,
  lifecycle_status: z.enum(TOOL_LIFECYCLES),
  id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Tool = z.infer<typeof Tool>;

const ofTool = z.object({ ...inWorkspace, tool_id: Uuid });

export const tools = {
  /**
   * Fails with `conflict` when the name is taken, and with `invalid_input` whose errors have the codes that publishing
   * reports for a pack's tools: `reserved_name`, `unknown_reference`, `self_reference`, `delegation_cycle`, …
   */
  create: rpc('tools.v1.create', {
    input: z.object({ ...inWorkspace, spec: ToolSpec, actor: Actor }),
    output: Tool,
  }),
  update: rpc('tools.v1.update', {
    input: ofTool.extend({ spec: ToolSpec, actor: Actor }),
    output: z.object({ applied: Applied, tool: Tool }),
  }),
  list: rpc('tools.v1.list', {
    input: PageQuery.extend({
      ...inWorkspace,
      name: PlainText.optional(),
      lifecycle_status: z.enum(TOOL_LIFECYCLES).optional(),
    }),
    output: page(Tool),
  }),
  get: rpc('tools.v1.get', { input: ofTool, output: Tool }),
  /** Fails with `conflict` while active deployments or other tools use the tool, naming them. */
  remove: rpc('tools.v1.remove', { input: ofTool, output: z.object({}) }),
};
