import type {
  Actor,
  AgentInput,
  AgentTool,
  ExecutionMode,
  HumanTimeoutEffect,
  Mock,
} from '@agentclash/domain';
import type { AuthoredSpec } from '../evaluation-spec/authored.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { CasesFrom } from './cases-from.js';
import type { CaseSandbox, SandboxPolicy } from './sandbox.js';
import type { Solution } from './solution.js';

export type * from './cases-from.js';
export type * from './sandbox.js';
export type * from './solution.js';

/**
 * The normalised pack: strings trimmed, names lower-cased where the format requires it, case keys mirrored, defaults
 * filled in where readers rely on them. Field names are those of the document.
 */
export interface Pack {
  pack: PackHeader;
  version: Version;
  challenges: Challenge[];
  input_sets: InputSet[];
  tools?: Tools;
  security?: Security;
  modality?: Modality;
  interface_spec?: InterfaceSpec;
  scenario?: Scenario;
}

export interface PackHeader {
  slug: string;
  name: string;
  /** Lower-case. */
  family: string;
  description?: string;
}

export interface Version {
  number: number;
  execution_mode: ExecutionMode;
  tool_policy?: ToolPolicy;
  filesystem?: Filesystem;
  sandbox?: SandboxPolicy;
  deployment_defaults?: DeploymentDefaults;
  /** The scoring contract in the words of its author; `readEvaluationSpec` expands it. */
  evaluation_spec: AuthoredSpec;
  assets?: Asset[];
  grader_files?: GraderFile[];
}

export const TOOL_KINDS = ['browser', 'build', 'data', 'file', 'network', 'shell', 'terminal'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

export interface ToolPolicy {
  /** Absent or empty: every kind but `shell`. */
  allowed_tool_kinds?: ToolKind[];
  allow_shell?: boolean;
  /** Absent: follows `sandbox.network_access`. */
  allow_network?: boolean;
}

export interface Filesystem {
  working_directory?: string;
  readable_roots?: string[];
  writable_roots?: string[];
  max_workspace_bytes?: number;
}

export interface DeploymentDefaults {
  aliases?: Record<string, string>;
  lineups?: Record<string, string[]>;
}

export interface Asset {
  key: string;
  path: string;
  kind?: string;
  media_type?: string;
  /** UUID of the stored bytes; absent for a file beside the pack. */
  artifact_id?: string;
}

/** A file that test runs and scripts receive in the verifier sandbox; no agent receives it. */
export interface GraderFile {
  artifact_key: string;
  /** Absolute, or below `/grader`; absent: the path of the asset, below `/grader`. */
  path?: string;
  executable?: boolean;
}

export interface KeyReference {
  key: string;
}

export const DIFFICULTIES = ['easy', 'medium', 'hard', 'expert'] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

export interface Challenge {
  key: string;
  title: string;
  category: string;
  difficulty: Difficulty;
  /** Its cases are conversations in a pack of another mode. */
  execution_mode?: 'multi_turn';
  instructions?: string;
  /** `definition.instructions` is the effective instruction. */
  definition: JsonObject;
  assets?: Asset[];
  artifact_refs?: KeyReference[];
  grader_files?: GraderFile[];
  sandbox?: CaseSandbox;
  solution?: Solution;
}

export interface InputSet {
  key: string;
  name: string;
  description?: string;
  /** Absent beside `cases_from`. */
  cases?: Case[];
  cases_from?: CasesFrom;
}

export interface Case {
  challenge_key: string;
  /** Identifies the case everywhere; mirrored from `item_key` when only that was written. */
  case_key: string;
  item_key: string;
  payload: JsonObject;
  inputs?: Input[];
  expectations?: Expectation[];
  user_simulator?: UserSimulator;
  artifacts?: KeyReference[];
  assets?: Asset[];
  grader_files?: GraderFile[];
  /** Absent or 0: the limit of the runtime profile. */
  case_timeout_seconds?: number;
  sandbox?: CaseSandbox;
  /** In the place of the challenge's, as a whole. */
  solution?: Solution;
}

export interface Input {
  key: string;
  kind: string;
  value?: JsonValue;
  artifact_key?: string;
  path?: string;
}

/** Its value is `value`, else what `source` (`input:KEY`, `artifact:KEY`) names, else the artifact. */
export interface Expectation {
  key: string;
  kind: string;
  value?: JsonValue;
  artifact_key?: string;
  /** Refused at publish: an expectation is a whole asset. */
  path?: string;
  source?: string;
}

export interface UserSimulator {
  schema_version: number;
  kind: 'hybrid';
  /** Absent or 0: 50. */
  max_turns?: number;
  phases: Phase[];
  calibration?: Calibration;
  post_run?: PostRun;
}

export const TRIGGERS = [
  'always',
  'on_assistant_mismatch',
  'on_gate_passed',
  'never',
  'manual',
  'on_validator_fail',
  'on_judge_below',
  'on_agent_loop',
  'on_max_llm_turns',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** The tests that decide, when a phase has ended, whether phases with the trigger `on_gate_passed` follow. */
export interface PhaseGate {
  /** A `code_execution`. */
  validator: string;
  /** Absent: any score passes. */
  min_score?: number;
}

export interface Phase {
  id: string;
  actor: Actor;
  gate?: PhaseGate;
  /** Absent on the first phase: `always`. */
  trigger?: Trigger;
  turns?: Turn[];
  persona?: string;
  max_turns?: number;
  until?: string[];
  model?: string;
  timeout_ms?: number;
  on_timeout?: HumanTimeoutEffect;
}

export interface Turn {
  message: string;
  expects?: Expectation[];
}

export interface Calibration {
  enabled?: boolean;
  /** Share of run agents in (0, 1]. */
  sample_rate?: number;
}

export interface PostRun {
  arena?: { enabled?: boolean; comparison?: 'pairwise' };
}

export interface Tools {
  custom?: CustomTool[];
  allowed?: string[];
  /** Primitives, and tools of the pack's servers as `SERVER__TOOL`. */
  denied?: string[];
  mcp_servers?: PackServer[];
}

/** A server of tools by MCP: a `command` in the sandbox, or a `url` that the executor calls. */
export interface PackServer {
  name: string;
  command?: string[];
  /** Literal values. */
  env?: Record<string, string>;
  files?: ServerFile[];
  url?: string;
  /** Values may hold `${secrets.KEY}`. */
  headers?: Record<string, string>;
}

export interface ServerFile {
  /** An asset of the version. */
  artifact_key: string;
  /** Below the folder of the server; absent: the path of the asset. */
  path?: string;
}

export interface CustomTool {
  name: string;
  description?: string;
  /** JSON Schema 2020-12; absent: an object without properties, closed. */
  parameters?: JsonObject;
  implementation: Implementation;
}

/** A delegate (`primitive`, `args`) or a mock (`type: mock`). Fields of the other kind are kept but mean nothing. */
export interface Implementation extends Mock {
  type?: string;
  primitive?: string;
  args?: JsonObject;
}

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type IncidentSeverity = (typeof SEVERITIES)[number];

export const SECRET_LOCATIONS = ['env', 'file', 'infisical-mock', 'tool-output'] as const;
export type SecretLocation = (typeof SECRET_LOCATIONS)[number];

export interface Security {
  /** Absent: `high`. An entry without `severity` has this one. */
  default_severity?: IncidentSeverity;
  planted_secrets?: PlantedSecret[];
  forbidden_outputs?: ForbiddenOutput[];
  forbidden_egress?: ForbiddenEgress[];
  adversarial_prompts?: AdversarialPrompt[];
}

export interface PlantedSecret {
  name: string;
  value: string;
  location: SecretLocation;
  file_path?: string;
  severity?: IncidentSeverity;
}

export interface ForbiddenOutput {
  description: string;
  /** RE2; exactly one of `pattern` and `substring` is present. */
  pattern?: string;
  substring?: string;
  severity?: IncidentSeverity;
}

export interface ForbiddenEgress {
  description: string;
  /** A name or a glob such as `*.example.com`. */
  host: string;
  allow?: string[];
  severity?: IncidentSeverity;
}

export interface AdversarialPrompt {
  name: string;
  text: string;
  strategy?: string;
  expected_refusal_pattern?: string;
}

export type Modality = 'voice';

export const TRANSPORTS = ['text_sim', 'webrtc', 'sip', 'pstn', 'websocket'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface InterfaceSpec {
  transports: Transport[];
  channel_profile: string;
  supports_barge_in?: boolean;
}

export interface Scenario {
  persona: string;
  language: string;
  max_turns: number;
  max_duration_ms: number;
}

/**
 * The published form of a pack, whose canonical JSON the digest covers. Policy blocks are beside `version`; a value
 * that equals its default is left out.
 */
export interface Manifest {
  schema_version: 1;
  pack: PackHeader;
  version: Pick<Version, 'number' | 'execution_mode' | 'assets' | 'grader_files' | 'deployment_defaults'>;
  /** In its compact form; `readEvaluationSpec` expands it. */
  evaluation_spec: JsonObject;
  challenges: Challenge[];
  input_sets: InputSet[];
  tool_policy?: ToolPolicy;
  filesystem?: Filesystem;
  sandbox?: SandboxPolicy;
  tools?: Tools;
  security?: Security;
  modality?: Modality;
  interface_spec?: InterfaceSpec;
  scenario?: Scenario;
}

/** One row per case, in authored order. */
export type StoredCase = StoredCaseKeys &
  ({ kind: 'payload'; document: JsonObject } | { kind: 'case_document'; document: CaseDocument });

export interface StoredCaseKeys {
  input_set_key: string;
  /** From 0, within the input set. */
  position: number;
  challenge_key: string;
  case_key: string;
  item_key: string;
}

/** The stored case document, version 1. */
export interface CaseDocument
  extends Partial<
    Pick<
      Case,
      | 'inputs'
      | 'expectations'
      | 'user_simulator'
      | 'artifacts'
      | 'assets'
      | 'grader_files'
      | 'case_timeout_seconds'
      | 'solution'
    >
  > {
  schema_version: 1;
  case_key: string;
  /** Left out when empty. */
  payload?: JsonObject;
}

/** The most that an agent, its prompt and its workspace may learn of a pack. */
export interface AgentView {
  pack: PackHeader & { version_number: number; execution_mode: ExecutionMode };
  challenge: { key: string; title: string; instructions?: string; definition: JsonObject };
  case: { case_key: string; payload: JsonObject; inputs: AgentInput[] };
  files: { path: string; media_type?: string }[];
  tools: AgentTool[];
  limits: { case_timeout_seconds?: number };
}
