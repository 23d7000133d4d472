import type { Preset } from '@agentclash/agent-presets';
import type {
  CustomTool,
  HarnessRuntime,
  JsonObject,
  ModelPrice,
  PhaseGate,
  PlantedSecret,
  ScriptRuntime,
  ToolPolicy,
  Trigger,
} from '@agentclash/challengepack';
import type {
  AgentInput,
  AttemptLimits,
  EndpointConfig,
  ExecutionMode,
  HumanTimeoutEffect,
  ModelCallMode,
  ModelInstructions,
  ProgramProtocol,
  Sampling,
  ScriptStep,
  ToolLifecycle,
  TurnExpectationKind,
  WorkspaceToolDefinition,
  WorkspaceToolKind,
} from '@agentclash/domain';

export type { ScriptStep } from '@agentclash/domain';

/** Stored bytes of the workspace, addressed by digest; `sha256` is lower-case hex, without a prefix. */
export interface ArtifactRef {
  artifact_id: string;
  sha256: string;
  bytes: number;
}

/**
 * One file to put into a sandbox; a relative `path` starts at the working directory. Later files replace earlier ones.
 */
export type PlannedFile = { path: string; content: string } | { path: string; artifact: ArtifactRef };

/**
 * Everything that an executor needs to drive one delivery of one attempt. It holds no evaluation spec, and no
 * expectations but those by which a conversation finds its way.
 */
export interface AttemptPlan {
  schema: 'agentclash.attempt-plan/1';
  workspace_id: string;
  run_id: string;
  run_agent_id: string;
  attempt_id: string;
  /** 1, 2, 3…: the fencing token of this try. */
  delivery: number;
  /** The most deliveries; default 3, more where a user requested a retry. */
  deliveries_max?: number;
  case_key: string;
  repetition: number;
  mode: ExecutionMode;
  agent: PlannedAgent;
  challenge: PlannedChallenge;
  case: PlannedCase;
  /** In staging order: assets, `payload.workspace_files`, inputs of kind `workspace`. */
  files: PlannedFile[];
  tools: PlannedTools;
  /** The pack's. */
  tool_policy: ToolPolicy;
  filesystem: PlannedFilesystem;
  sandbox: PlannedSandbox;
  limits: AttemptLimits;
  narrowing: ToolNarrowing;
  /** Values that a security pack plants; shown to the agent, never listed to it. */
  planted_secrets: PlantedSecret[];
  /** The user's side; exactly in `multi_turn`. */
  conversation?: PlannedConversation;
  /** Absent: the agent receives no standings of its peers. */
  race_context?: RaceContext;
  /** How its models are called; absent: live. */
  model_calls?: Exclude<ModelCallMode, 'live'>;
  /** The run has a budget of tokens or dollars: each call of a model is reserved in it. */
  run_budget?: true;
  /** The interpreters of the scripts that grade it; absent: none. Their evidence is kept until then. */
  script_runtimes?: ScriptRuntime[];
  /** The interpreters and compilers of the harness of its hidden tests; absent: none. */
  test_runtimes?: HarnessRuntime[];
  /** No check needs a sandbox: the grader plan need not be requested. */
  is_unverified?: true;
}

/** How often a model may receive the progress of its peers. */
export interface RaceContext {
  /** Iterations between two messages, 1 to 10. */
  min_step_gap: number;
}

export interface PlannedChallenge {
  title: string;
  /** The effective instruction, unrendered; absent when the pack gives none. */
  instructions?: string;
}

export interface PlannedCase {
  /** Without `workspace_files`. */
  payload: JsonObject;
  inputs: AgentInput[];
}

/** The simulated user, and the human turns of earlier deliveries. None of it is ever shown to the agent. */
export interface PlannedConversation {
  /** User turns of the whole conversation, at least 1. */
  turns_max: number;
  phases: PlannedPhase[];
  /** Ids of manual phases that people have requested so far. */
  requested_phases: string[];
  /** Replayed where their phase comes again, so that no person has to repeat a turn. */
  human_turns: HumanTurn[];
}

/** A message that a person gave; a phase played by a person is one turn. */
export interface HumanTurn {
  phase_id: string;
  turn_index: number;
  message: string;
}

export type PlannedPhase = { id: string; trigger: Trigger; gate?: PhaseGate } & (
  | ScriptedPhase
  | SimulatedPhase
  | HumanPhase
);

export interface ScriptedPhase {
  actor: 'scripted';
  turns: PlannedTurn[];
}

export interface PlannedTurn {
  /** Placeholders are filled. */
  message: string;
  expects: TurnExpectation[];
}

/** The expectations of a turn's reply; kinds that are not executed are left out. */
export type TurnExpectation = { key: string; kind: TurnExpectationKind } & (
  | { text: string }
  | { artifact: ArtifactRef }
);

export interface SimulatedPhase {
  actor: 'llm';
  persona: string;
  /** Null: only the conversation's own limit. */
  turns_max: number | null;
  until: string[];
  /** The model that plays the user; without one the attempt ends as `unsupported`. */
  simulator?: ModelConfig;
}

export interface HumanPhase {
  actor: 'human';
  timeout_ms: number;
  on_timeout: HumanTimeoutEffect;
}

/** The configuration of each kind of agent, reduced to this case. */
export interface AgentConfigs {
  program: ProgramConfig;
  scripted: ScriptConfig;
  model: ModelConfig;
  endpoint: EndpointConfig;
}
export type AgentKind = keyof AgentConfigs;

/** The agent of one deployment snapshot. */
export type PlannedAgent = { [K in AgentKind]: { kind: K; config: AgentConfigs[K] } }[AgentKind];

export interface ProgramConfig {
  /** With a preset: none. */
  command: string[];
  /** Default `agentclash`. */
  protocol?: ProgramProtocol;
  env?: Record<string, string>;
  /** Put under `/agent`; `path` is relative to it. */
  files?: { path: string; artifact: ArtifactRef }[];
  /** Where it reaches its model, as `host` or `host:port`; default 443. */
  model_hosts?: string[];
  /** The models that it calls through the broker. */
  models?: ProgramModels;
  preset?: PlannedPreset;
}

/** `main` also serves every name that is neither an alias nor the provider's name of one of the models. */
export interface ProgramModels {
  main: ProgramModel;
  small?: ProgramModel;
}

/** A model and its name in the deployment, by which a program without a preset requests it. */
export interface ProgramModel extends ModelConnection {
  alias: string;
}

/** How to run a coding agent, as the run pins it. */
export interface PlannedPreset {
  definition: Preset;
  /** Lower-case hex; of the lockfile of a preset of the product, whose executors have the same one or refuse. */
  lockfile_sha256?: string;
  instructions?: string;
  /** Each a folder below the preset's directory of skills. */
  skills?: PlannedSkill[];
}

export interface PlannedSkill {
  name: string;
  /** `path` is relative to the skill's folder. */
  files: { path: string; artifact: ArtifactRef }[];
}

export interface ScriptConfig {
  steps: ScriptStep[];
  stop_on_error?: boolean;
}

/** A model as a run pins it: base URL, account and price. */
export interface ModelConnection {
  /** Calls of one account share a limit. */
  provider_account_id?: string;
  provider_key: string;
  model: string;
  /** `workspace-secret://KEY` or `env://NAME`; never a value. */
  credential_reference?: string;
  base_url?: string;
  /** Absent: the cost of its calls is unknown. */
  pricing?: PinnedPrice;
}

/** The price of a model as a run pins it, in one row. */
export interface PinnedPrice {
  models: ModelPrice[];
  /** The place that it was found in; absent in runs of earlier releases, which knew accounts alone. */
  source?: 'pack' | 'account' | 'list';
  /** Of a list price: the last day for which it was known to hold. */
  as_of?: string;
}

export interface ModelConfig extends ModelConnection {
  policy_spec?: ModelInstructions;
  output_schema?: JsonObject;
  sampling?: Sampling;
}

/** Tool definitions as published; what the agent may see of them is decided by the surface. */
export interface PlannedTools {
  /** Pack tools, in authored order. */
  custom: CustomTool[];
  /** Active and inactive workspace tools: attached ones and those that they delegate to. */
  workspace: WorkspaceTool[];
  /** Primitive names; empty means no restriction. */
  allowed: string[];
  /** Primitive names. */
  denied: string[];
  /** Of the pack and of the deployment; names are unique. */
  mcp_servers?: PlannedMcpServer[];
}

/** A server of tools by MCP: a command in the sandbox, or a URL that the executor calls. */
export type PlannedMcpServer = { name: string } & (
  | {
      command: string[];
      /** Literal values. */
      env?: Record<string, string>;
      /** Put under `/mcp/NAME`; `path` is relative to it. */
      files?: { path: string; artifact: ArtifactRef }[];
    }
  | {
      url: string;
      /** Values may hold `${secrets.KEY}`. */
      headers?: Record<string, string>;
    }
);

export interface WorkspaceTool {
  name: string;
  tool_kind: WorkspaceToolKind;
  capability_key?: string;
  lifecycle_status: ToolLifecycle;
  /** True when the deployment attached it; others serve as delegates only. */
  attached: boolean;
  definition: WorkspaceToolDefinition;
}

/** How profile and deployment narrow the policy of the pack, and the pack its own servers. */
export interface ToolNarrowing {
  allow_shell?: boolean;
  allow_network?: boolean;
  /** Profile `denied_tools`, deployment `tool_overrides.denied`, and tools of servers that the pack denies. */
  denied_tools: string[];
}

export interface PlannedFilesystem {
  working_directory: string;
  readable_roots: string[];
  writable_roots: string[];
}

export interface PlannedSandbox {
  network_access: boolean;
  network_allowlist: string[];
  /** Literal values. */
  env_vars: Record<string, string>;
  additional_packages: string[];
  sandbox_template_id?: string;
  /** In place of a template and packages. */
  image?: PlannedImage;
  resources: SandboxResources;
}

/** The root of a sandbox: `NAME@sha256:…`, or one that is built before. */
export type PlannedImage = { run_as_root: boolean } & ({ reference: string } | { build: PlannedBuild });

/** A Dockerfile and the files that it may copy, by their paths in its folder; it is among them. */
export interface PlannedBuild {
  dockerfile: string;
  files: { path: string; artifact: ArtifactRef }[];
  /** Commands of the Dockerfile have a network. */
  network_access?: true;
}

export interface SandboxResources {
  cpu: number;
  memory_bytes: number;
  pids: number;
  workspace_bytes: number;
}
