import {
  agentView,
  type Case,
  caseFilesystem,
  type EvaluationSpec,
  executionModeOf,
  findAsset,
  graderFiles,
  graderPath,
  type HarnessRuntime,
  harnessRuntimes,
  isPrimitiveName,
  type Manifest,
  type PackServer,
  type Phase,
  parseReference,
  payloadText,
  type ScriptRuntime,
  type StagedFile,
  scriptRuntime,
  stagedFiles,
  type ValidatorConfigs,
} from '@agentclash/challengepack';
import type {
  CaseFile,
  CodeExecutionCheck,
  GraderPlan,
  PlannedGraderFile,
  ScriptCheck,
} from '../grader-plan.js';
import type {
  ArtifactRef,
  AttemptPlan,
  ModelConfig,
  PlannedFile,
  PlannedMcpServer,
  PlannedSandbox,
  PlannedTools,
  SandboxResources,
  ScriptConfig,
  ScriptStep,
} from '../plan.js';
import { plannedConversation } from './conversation.js';
import { ownSandbox, plannedFilesystem, plannedSandbox } from './environment.js';
import { graderExpectations } from './expectations.js';
import { plannedImage } from './image.js';

/** The inputs of a plan beside the pack. */
export interface PackPlanOptions {
  /** Finds the stored bytes behind an artifact id. */
  artifactOf: (artifactId: string) => ArtifactRef | undefined;
  /** The profile's sandbox. */
  resources?: Partial<SandboxResources>;
  /** The least that the agent works with, where the profile sets nothing. */
  needs?: Partial<SandboxResources> | undefined;
  /** The model that plays the user in a phase of a conversation. */
  simulatorOf?: (phase: Phase) => ModelConfig | undefined;
}

/** The parts of an attempt's plan that the pack determines. */
export type PackPlan = Pick<
  AttemptPlan,
  | 'case_key'
  | 'mode'
  | 'challenge'
  | 'case'
  | 'files'
  | 'tool_policy'
  | 'filesystem'
  | 'sandbox'
  | 'planted_secrets'
  | 'conversation'
> & { tools: Omit<PlannedTools, 'workspace'> };

/** A case that cannot be planned: an asset without stored bytes. */
export class PlanningError extends Error {
  override readonly name = 'PlanningError';

  constructor(
    readonly code: 'artifact_not_found',
    message: string,
  ) {
    super(message);
  }
}

/** The agent's side of one case, made of the agent view and of what policy and staging need. Throws PlanningError. */
export function planFromPack(manifest: Manifest, each: Case, options: PackPlanOptions): PackPlan {
  const { challenge, case: seen } = agentView(manifest, each);
  const { tools = {}, tool_policy = {}, security = {} } = manifest;
  return {
    case_key: each.case_key,
    mode: executionModeOf(manifest, each),
    challenge: {
      title: challenge.title,
      ...(challenge.instructions !== undefined && { instructions: challenge.instructions }),
    },
    case: { payload: seen.payload, inputs: seen.inputs ?? [] },
    files: stagedFiles(manifest, each).map((file) => plannedFile(file, options)),
    tools: {
      custom: tools.custom ?? [],
      allowed: tools.allowed ?? [],
      denied: (tools.denied ?? []).filter(isPrimitiveName),
      ...(tools.mcp_servers && {
        mcp_servers: tools.mcp_servers.map((server) => plannedServer(server, manifest, options)),
      }),
    },
    tool_policy,
    filesystem: plannedFilesystem(caseFilesystem(manifest, each)),
    sandbox: caseSandbox(manifest, each, options),
    planted_secrets: security.planted_secrets ?? [],
    ...(each.user_simulator && {
      conversation: plannedConversation(each, each.user_simulator, {
        artifactOf: (key) => storedAsset(manifest, each, { key, options }),
        simulatorOf: options.simulatorOf ?? (() => undefined),
      }),
    }),
  };
}

/** The grader's side of one case. It holds the expectations: keep it apart from the plan. Throws PlanningError. */
export function planGrading(
  manifest: Manifest,
  each: Case,
  options: PackPlanOptions & { attemptId: string; spec: EvaluationSpec },
): GraderPlan {
  const stored = (key: string) => storedAsset(manifest, each, { key, options });
  const validators = options.spec.validators.filter(({ when }) => mayHave(each, when));
  const { scripts, ...checks } = graderChecks({ ...options.spec, validators });
  const { network_access: _, network_allowlist: __, ...sandbox } = caseSandbox(manifest, each, options);
  return {
    schema: 'agentclash.grader-plan/1',
    attempt_id: options.attemptId,
    ...checks,
    ...plannedGates(each, validators),
    ...plannedScripts(manifest, each, { scripts, options }),
    expectations: graderExpectations(each, stored),
    ...plannedGraderFiles(manifest, each, options),
    case: {
      payload: each.payload,
      inputs: (each.inputs ?? []).map(({ key, value }) => ({ key, ...(value !== undefined && { value }) })),
    },
    filesystem: plannedFilesystem(caseFilesystem(manifest, each)),
    sandbox,
  };
}

/** False when the case lacks the part of itself that a validator needs: nothing has to be run for it then. */
function mayHave(each: Case, when: string | undefined): boolean {
  const reference = when === undefined ? null : parseReference(when);
  if (reference?.kind === 'case_payload')
    return payloadText({ payload: each.payload }, reference.path) !== undefined;
  if (reference?.kind === 'case_input') return (each.inputs ?? []).some(({ key }) => key === reference.key);
  if (reference?.kind !== 'case_expectation') return true;
  return (each.expectations ?? []).some(({ key }) => key === reference.key);
}

function plannedGraderFiles(
  manifest: Manifest,
  each: Case,
  options: PackPlanOptions,
): Pick<GraderPlan, 'grader_files'> {
  const files = graderFiles(manifest, each).map(({ path, asset, executable }): PlannedGraderFile => {
    if (asset.artifact_id === undefined) throw withoutBytes(asset.key);
    const artifact = storedArtifact(asset.artifact_id, options);
    return { path, artifact, ...(executable && { executable }) };
  });
  return files.length > 0 ? { grader_files: files } : {};
}

/** The gates of a case, with the validators that are meant. */
function plannedGates(
  { user_simulator }: Case,
  validators: EvaluationSpec['validators'],
): Pick<GraderPlan, 'gates'> {
  const gates = (user_simulator?.phases ?? []).flatMap(({ id: phase_id, gate }) => {
    const validator = validators.find(({ key }) => key === gate?.validator);
    return validator?.type === 'code_execution' ? [{ phase_id, validator }] : [];
  });
  return gates.length > 0 ? { gates } : {};
}

function plannedScripts(
  manifest: Manifest,
  each: Case,
  { scripts, options }: { scripts: readonly ScriptConfigOf[]; options: PackPlanOptions },
): Pick<GraderPlan, 'scripts' | 'case_files'> {
  if (scripts.length === 0) return {};
  const planned = scripts.map(({ artifact_key, runtime, ...script }): ScriptCheck => {
    const asset = manifest.version.assets?.find(({ key }) => key === artifact_key);
    if (asset?.artifact_id === undefined) throw withoutBytes(artifact_key);
    const artifact = storedArtifact(asset.artifact_id, options);
    const path = graderPath(asset.path);
    const known = scriptRuntime({ path, ...(runtime && { runtime }) }) ?? 'python';
    return { ...script, path, artifact, runtime: known };
  });
  const challenge = manifest.challenges.find(({ key }) => key === each.challenge_key);
  const named = [
    ...(challenge?.artifact_refs ?? []).map(({ key }) => key),
    ...(each.artifacts ?? []).map(({ key }) => key),
    ...(each.inputs ?? []).flatMap(({ artifact_key: key }) => key ?? []),
  ];
  const files = [...new Set(named)].flatMap((key): CaseFile[] => {
    const asset = findAsset(manifest, each, key, each.challenge_key);
    if (asset?.artifact_id === undefined) return [];
    return [{ key, path: asset.path, artifact: storedArtifact(asset.artifact_id, options) }];
  });
  return { scripts: planned, ...(files.length > 0 && { case_files: files }) };
}

function plannedFile(file: StagedFile, options: PackPlanOptions): PlannedFile {
  if ('content' in file) return { path: file.path, content: file.content };
  const { artifact_id, key } = file.asset;
  if (artifact_id !== undefined) return { path: file.path, artifact: storedArtifact(artifact_id, options) };
  throw withoutBytes(key);
}

function withoutBytes(key: string): PlanningError {
  return new PlanningError('artifact_not_found', `the asset ${key} has no stored bytes`);
}

function plannedServer(
  { name, command = [], env, files, url, headers }: PackServer,
  { version: { assets = [] } }: Manifest,
  options: PackPlanOptions,
): PlannedMcpServer {
  if (url !== undefined) return { name, url, ...(headers && { headers }) };
  const placed = files?.map(({ artifact_key: key, path }) => {
    const asset = assets.find((each) => each.key === key);
    if (asset?.artifact_id === undefined) throw withoutBytes(key);
    return { path: path ?? asset.path, artifact: storedArtifact(asset.artifact_id, options) };
  });
  return { name, command, ...(env && { env }), ...(placed && { files: placed }) };
}

/** The stored file of an asset key as a case sees it. */
function storedAsset(
  manifest: Manifest,
  each: Case,
  { key, options }: { key: string; options: PackPlanOptions },
): ArtifactRef | undefined {
  const asset = findAsset(manifest, each, key, each.challenge_key);
  return asset?.artifact_id === undefined ? undefined : storedArtifact(asset.artifact_id, options);
}

function storedArtifact(id: string, { artifactOf }: PackPlanOptions): ArtifactRef {
  const artifact = artifactOf(id);
  if (artifact) return artifact;
  throw new PlanningError('artifact_not_found', `the artifact ${id} has no stored bytes`);
}

function caseSandbox(manifest: Manifest, each: Case, options: PackPlanOptions): PlannedSandbox {
  const { sandbox, filesystem, challenges } = manifest;
  const { resources: profile, needs } = options;
  const packWorkspaceBytes = filesystem?.max_workspace_bytes;
  const challenge = challenges.find(({ key }) => key === each.challenge_key);
  const own = ownSandbox(challenge?.sandbox, each.sandbox);
  const image = plannedImage(manifest, each, ({ key, artifact_id }) => {
    if (artifact_id === undefined) throw withoutBytes(key);
    return storedArtifact(artifact_id, options);
  });
  return plannedSandbox(sandbox, { profile, needs, packWorkspaceBytes, own, image });
}

/** A stored scripted deployment: it may have scripts by case key. */
export interface ScriptedDeployment {
  steps?: ScriptStep[];
  by_case?: Record<string, ScriptStep[]>;
  stop_on_error?: boolean;
}

/** The script that plays one case; a plan never holds those of others. */
export function scriptFor(deployment: ScriptedDeployment, caseKey: string): ScriptConfig {
  const { steps = [], by_case = {}, stop_on_error = false } = deployment;
  return { steps: (Object.hasOwn(by_case, caseKey) && by_case[caseKey]) || steps, stop_on_error };
}

type ScriptConfigOf = { validator_key: string } & ValidatorConfigs['script'];

/** The parts of an evaluation spec that run in the verifier sandbox, in spec order. */
export function graderChecks(
  spec: EvaluationSpec,
): Pick<GraderPlan, 'checks' | 'code_executions'> & { scripts: ScriptConfigOf[] } {
  return {
    checks: spec.post_execution_checks,
    code_executions: spec.validators.flatMap((validator): CodeExecutionCheck[] => {
      if (validator.type !== 'code_execution') return [];
      const { test_command, timeout_ms, report_path, reports } = validator.config;
      return [
        {
          validator_key: validator.key,
          test_command,
          timeout_ms,
          ...(report_path !== undefined && { report_path }),
          ...(reports && { reports: reports.map(({ path, format }) => ({ path, format })) }),
        },
      ];
    }),
    scripts: spec.validators.flatMap((validator) =>
      validator.type === 'script' ? [{ validator_key: validator.key, ...validator.config }] : [],
    ),
  };
}

/** The interpreters that the scripts of a pack need. */
export function scriptRuntimes(manifest: Manifest, spec: EvaluationSpec): ScriptRuntime[] {
  const runtimes = graderChecks(spec).scripts.flatMap(({ artifact_key, runtime }) => {
    const path = manifest.version.assets?.find(({ key }) => key === artifact_key)?.path ?? '';
    return scriptRuntime({ path, ...(runtime && { runtime }) }) ?? [];
  });
  return [...new Set(runtimes)].sort();
}

/** The interpreters and compilers that the grading harness of a pack needs. */
export function testRuntimes(spec: EvaluationSpec): HarnessRuntime[] {
  const runtimes = graderChecks(spec).code_executions.flatMap(({ test_command }) =>
    harnessRuntimes(test_command),
  );
  return [...new Set(runtimes)].sort();
}

/** True when a plan has captures, test runs or scripts. */
export function needsVerifier({
  checks,
  code_executions,
  scripts = [],
}: Pick<GraderPlan, 'checks' | 'code_executions'> & { scripts?: readonly object[] }): boolean {
  return checks.length + code_executions.length + scripts.length > 0;
}
