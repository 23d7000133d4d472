import {
  type ArtifactRef,
  type AttemptPlan,
  type GraderPlan,
  graderChecks,
  type LimitSettings,
  type ModelConnection,
  needsVerifier,
  type PackPlan,
  type PlannedAgent,
  type PlannedTools,
  type ProgramConfig,
  planFromPack,
  planGrading,
  resolveLimits,
  scriptFor,
  scriptRuntimes,
  type ToolNarrowing,
  testRuntimes,
} from '@agentclash/attempt-plan';
import { type Case, isPrimitiveName, type Phase, type Pricing } from '@agentclash/challengepack';
import { type AgentSnapshot, hasTools, presetOf } from '../agents/agent-snapshot.js';
import { connectionOf, withPrice } from '../models/model-catalog.js';
import { type RunPins, simulatorOf } from '../models/pack-models.js';
import type { PackVersionView } from '../pack/pack-version.js';

/** Which delivery of which attempt a plan is for. */
export type PlanIdentity = Pick<
  AttemptPlan,
  'workspace_id' | 'run_id' | 'run_agent_id' | 'attempt_id' | 'delivery' | 'repetition'
>;

/** A case, and the stored files that its own assets name, by artifact id. */
interface PlannedCase {
  case: Case;
  artifacts: ReadonlyMap<string, ArtifactRef>;
}

export interface PlanSources {
  version: PackVersionView;
  case: PlannedCase;
  agent: AgentSnapshot;
  pins: RunPins;
  runLimits: LimitSettings;
}

/**
 * The plan by which an executor drives one delivery. Built by naming fields: expectations, the evaluation spec and
 * other cases have no way in.
 */
export function attemptPlan(
  identity: PlanIdentity,
  { version, case: view, agent, pins, runLimits }: PlanSources,
): AttemptPlan {
  const { case: each } = view;
  const runtimes = scriptRuntimes(version.manifest, version.spec);
  const ofTests = testRuntimes(version.spec);
  const { workspace_id, run_id, run_agent_id, attempt_id, delivery, repetition } = identity;
  const { tools: ofPack, ...pack } = planFromPack(version.manifest, each, {
    ...planOptions({ version, case: view, agent }),
    needs: presetOf(agent)?.definition.resources,
    simulatorOf: (phase) => simulatorPlan(phase, { version, agent, pins }),
  });
  return {
    schema: 'agentclash.attempt-plan/1',
    workspace_id,
    run_id,
    run_agent_id,
    attempt_id,
    delivery,
    repetition,
    ...pack,
    agent: plannedAgent(agent, each.case_key, version.spec.pricing),
    tools: toolsOf(agent, ofPack),
    limits: resolveLimits({
      run: runLimits,
      caseTimeoutSeconds: each.case_timeout_seconds ?? 0,
      profile: agent.profile ?? {},
      pack: version.spec.runtime_limits,
    }),
    narrowing: narrowingOf(agent, version),
    ...(pins.raceStepGap !== null &&
      receivesPeerUpdates(agent, pack.mode) && {
        race_context: { min_step_gap: pins.raceStepGap },
      }),
    ...(pins.modelCalls !== null && { model_calls: pins.modelCalls }),
    // A replay makes no call.
    ...(pins.hasCallBudget && pins.modelCalls !== 'replay' && { run_budget: true as const }),
    ...(runtimes.length > 0 && { script_runtimes: runtimes }),
    ...(ofTests.length > 0 && { test_runtimes: ofTests }),
    ...(!needsVerifier(graderChecks(version.spec)) && { is_unverified: true }),
  };
}

function toolsOf(
  agent: AgentSnapshot,
  { mcp_servers: ofPack = [], ...tools }: PackPlan['tools'],
): PlannedTools {
  const servers = hasTools(agent) ? [...ofPack, ...(agent.mcp_servers ?? [])] : [];
  return {
    ...tools,
    workspace: agent.kind === 'model' ? agent.tools : [],
    ...(servers.length > 0 && { mcp_servers: servers }),
  };
}

function receivesPeerUpdates({ kind }: AgentSnapshot, mode: AttemptPlan['mode']): boolean {
  return kind === 'model' && mode === 'native';
}

/** The part that holds expectations; sent only when the agent's processes have ended. */
export function graderPlan(
  attemptId: string,
  sources: Pick<PlanSources, 'version' | 'case' | 'agent'>,
): GraderPlan {
  const { manifest, spec } = sources.version;
  return planGrading(manifest, sources.case.case, { attemptId, spec, ...planOptions(sources) });
}

function planOptions({ version, case: own, agent }: Pick<PlanSources, 'version' | 'case' | 'agent'>) {
  return {
    artifactOf: (id: string) => own.artifacts.get(id) ?? version.artifacts.get(id),
    resources: agent.profile?.sandbox ?? {},
  };
}

/** Of a model that also is the agent, a simulated user has the connection, none of its instructions. */
function simulatorPlan(
  phase: Phase,
  { version, agent, pins }: Pick<PlanSources, 'version' | 'agent' | 'pins'>,
): ModelConnection | undefined {
  const ofDeployment = agent.kind === 'model' ? connectionOf(agent.config) : undefined;
  const found = simulatorOf(phase, pins.packModels, ofDeployment);
  return found && withPrice(found, version.spec.pricing);
}

function plannedAgent(agent: AgentSnapshot, caseKey: string, pricing: Pricing): PlannedAgent {
  switch (agent.kind) {
    case 'scripted':
      return { kind: 'scripted', config: scriptFor(agent.config, caseKey) };
    case 'model':
      return { kind: 'model', config: withPrice(agent.config, pricing) };
    case 'program':
      return { kind: 'program', config: withPrices(agent.config, pricing) };
    case 'endpoint':
      return { kind: 'endpoint', config: agent.config };
  }
}

function withPrices({ models, ...config }: ProgramConfig, pricing: Pricing): ProgramConfig {
  if (models === undefined) return config;
  const { main, small } = models;
  const priced = { main: withPrice(main, pricing), ...(small && { small: withPrice(small, pricing) }) };
  return { ...config, models: priced };
}

function narrowingOf(agent: AgentSnapshot, { manifest }: PackVersionView): ToolNarrowing {
  const { allow_shell, allow_network, denied_tools = [] } = agent.profile?.tool_policy ?? {};
  const denied = agent.kind === 'model' ? agent.denied_tools : [];
  const ofServers = (manifest.tools?.denied ?? []).filter((name) => !isPrimitiveName(name));
  return {
    ...(allow_shell !== undefined && { allow_shell }),
    ...(allow_network !== undefined && { allow_network }),
    denied_tools: [...denied_tools, ...denied, ...ofServers],
  };
}
