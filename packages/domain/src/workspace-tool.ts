import type { JsonObject, JsonValue } from './json.js';

export const WORKSPACE_TOOL_KINDS = ['primitive', 'composed'] as const;
export type WorkspaceToolKind = (typeof WORKSPACE_TOOL_KINDS)[number];

export const TOOL_LIFECYCLES = ['active', 'disabled', 'archived'] as const;
export type ToolLifecycle = (typeof TOOL_LIFECYCLES)[number];

/** The kinds of tools that a step of a composed tool calls. */
export const STEP_TARGETS = ['primitive', 'tool'] as const;
export type StepTarget = (typeof STEP_TARGETS)[number];

export const MOCK_STRATEGIES = ['static', 'lookup', 'echo'] as const;
export type MockStrategy = (typeof MOCK_STRATEGIES)[number];

/** The configuration of a mock. Without `strategy`, `lookup_key` or `responses` mean lookup, `template` echo. */
export interface Mock {
  strategy?: MockStrategy;
  response?: JsonValue;
  lookup_key?: string;
  responses?: JsonObject;
  template?: JsonObject;
}

export interface ComposedStep {
  id: string;
  ref: { type: StepTarget; name: string };
  inputs: JsonObject;
}

/** The behaviour of a tool: `implementation` for kind primitive, `steps` for kind composed. */
export interface WorkspaceToolDefinition {
  description?: string | undefined;
  /** JSON Schema 2020-12. */
  parameters?: JsonObject | undefined;
  implementation?:
    | { mode: 'delegate'; primitive: string; args: JsonObject }
    | { mode: 'mock'; mock: Mock }
    | undefined;
  steps?: ComposedStep[] | undefined;
}
