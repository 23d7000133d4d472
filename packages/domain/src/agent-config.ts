import type { JsonValue } from './json.js';

/** The kinds of agents that a deployment runs. */
export const DEPLOYMENT_KINDS = ['model', 'program', 'endpoint', 'scripted'] as const;
export type DeploymentKind = (typeof DEPLOYMENT_KINDS)[number];

export const DEPLOYMENT_STATUSES = ['active', 'archived'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** Texts of a model agent's instructions. */
export interface ModelInstructions {
  role?: string;
  system_prompt?: string;
  instructions?: string;
  success_conditions?: string;
}

/** Sampling parameters; those that a provider does not support are omitted. */
export interface Sampling {
  temperature?: number;
  top_p?: number;
  max_output_tokens?: number;
  reasoning_effort?: string;
  seed?: number;
}

/** The protocols of agents at a url: our own JSON, and Agent2Agent 0.3 by JSON-RPC. */
export const ENDPOINT_PROTOCOLS = ['agentclash', 'a2a'] as const;
export type EndpointProtocol = (typeof ENDPOINT_PROTOCOLS)[number];

/** The protocols of programs: the task on stdin and the output on stdout, and the Agent Client Protocol 1. */
export const PROGRAM_PROTOCOLS = ['agentclash', 'acp'] as const;
export type ProgramProtocol = (typeof PROGRAM_PROTOCOLS)[number];

/** An agent at a url, which receives the task by a POST request. */
export interface EndpointConfig {
  url: string;
  /** Default `agentclash`. */
  protocol?: EndpointProtocol;
  headers?: Record<string, string>;
  credential_reference?: string;
}

/** Members of every step of a scripted agent, beside its action. */
export interface ScriptStepExtras {
  delay_ms?: number;
  usage?: { input_tokens?: number; output_tokens?: number };
}

/** One step of a scripted agent; exactly one of `call`, `message`, `answer` is its action. */
export type ScriptStep = ScriptAction & ScriptStepExtras;
export type ScriptAction =
  | { call: { name: string; arguments: JsonValue } }
  | { message: string }
  | { answer: string };

/** The most steps of one script. */
export const SCRIPT_STEPS_MAX = 10_000;
/** The longest that a step waits before it acts. */
export const STEP_DELAY_MS_MAX = 3_600_000;
