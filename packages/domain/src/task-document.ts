import type { JsonObject, JsonValue } from './json.js';

/** Resolved limits of one attempt. `max_tool_calls` and `max_policy_denials` 0 mean unlimited and off. */
export interface AttemptLimits {
  max_iterations: number;
  max_tool_calls: number;
  step_timeout_seconds: number;
  run_timeout_seconds: number;
  max_output_bytes: number;
  max_total_tokens: number | null;
  max_cost_usd: number | null;
  max_policy_denials: number;
}

export interface AgentInput {
  key: string;
  kind: string;
  value?: JsonValue;
  path?: string;
  /** Staged path of an input that comes from an artifact. */
  file?: string;
}

export interface AgentTool {
  name: string;
  description?: string;
  parameters: JsonObject;
}

/** A message of a conversation. */
export interface Utterance {
  role: 'user' | 'assistant';
  message: string;
}

/** The task as its agent receives it; `files` are those in its workspace. */
export interface TaskDocument {
  schema: 'agentclash.task/1';
  title: string;
  instructions: string;
  payload: JsonObject;
  inputs: AgentInput[];
  files: { path: string; bytes: number }[];
  tools: AgentTool[];
  limits: Partial<AttemptLimits>;
  output_schema?: JsonObject;
  /** The messages so far, in conversations whose agent receives the whole task with every turn. */
  transcript?: Utterance[];
}
