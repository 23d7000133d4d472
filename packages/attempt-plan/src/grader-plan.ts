import type {
  JsonObject,
  JsonValue,
  PostExecutionCheck,
  Report,
  ScriptRuntime,
  ValidatorOf,
} from '@agentclash/challengepack';
import type { ArtifactRef, PlannedFilesystem, PlannedSandbox } from './plan.js';

/**
 * The grader's part of one attempt: it holds the expectations, so it is sent apart from the plan and is opened only
 * after the agent's processes are dead.
 */
export interface GraderPlan {
  schema: 'agentclash.grader-plan/1';
  attempt_id: string;
  /** Captures and listings, in spec order. */
  checks: PostExecutionCheck[];
  /** Test runs, in spec order. */
  code_executions: CodeExecutionCheck[];
  /** The validators that grade phases of the conversation, each when its phase has ended; absent: none. */
  gates?: PlannedGate[];
  /** Scripts, in spec order; absent: none. */
  scripts?: ScriptCheck[];
  /** The files that the case names, for scripts; absent: none. */
  case_files?: CaseFile[];
  expectations: GraderExpectation[];
  /** Placed for test runs and scripts, beside the expectations; absent: none. */
  grader_files?: PlannedGraderFile[];
  /** Context of the case templates in `test_command`. */
  case: { payload: JsonObject; inputs: { key: string; value?: JsonValue }[] };
  filesystem: PlannedFilesystem;
  sandbox: Pick<
    PlannedSandbox,
    'env_vars' | 'additional_packages' | 'sandbox_template_id' | 'image' | 'resources'
  >;
}

/** The run of a validator after one phase. */
export interface PlannedGate {
  phase_id: string;
  validator: ValidatorOf<'code_execution'>;
}

/** A script that replies with a score; `path` is absolute. */
export interface ScriptCheck {
  validator_key: string;
  path: string;
  artifact: ArtifactRef;
  runtime: ScriptRuntime;
  timeout_ms: number;
}

/** A stored file that a case names by its key. */
export interface CaseFile {
  key: string;
  path: string;
  artifact: ArtifactRef;
}

/** A file of the grader; `path` is absolute. */
export interface PlannedGraderFile {
  path: string;
  artifact: ArtifactRef;
  executable?: true;
}

export interface CodeExecutionCheck {
  validator_key: string;
  /** A case template, filled strictly. */
  test_command: string;
  timeout_ms: number;
  report_path?: string;
  /** In place of `report_path`. */
  reports?: Pick<Report, 'path' | 'format'>[];
}

/** An expectation with its source already followed: a value, or the stored file behind it. */
export type GraderExpectation = { key: string; value: JsonValue } | { key: string; artifact: ArtifactRef };
