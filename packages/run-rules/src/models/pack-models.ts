import type { AttemptPlan, ModelConnection } from '@agentclash/attempt-plan';
import type { EvaluationSpec, Phase } from '@agentclash/challengepack';
import type { CaseKey } from '@agentclash/contracts';
import type { ModelCatalog } from './model-catalog.js';

/** Plays users whose phase names no model. */
const SIMULATOR = 'alias:simulator';

/** The models that a pack names, as a run pins them, by the text that names them. */
export type PackModels = Record<string, ModelConnection>;

/** The pinned resources of a run beside its agents. */
export interface RunPins {
  packModels: PackModels;
  /** Null while its agents receive nothing of each other. */
  raceStepGap: number | null;
  /** Null: live. */
  modelCalls: NonNullable<AttemptPlan['model_calls']> | null;
  /** Calls of its models are reserved in a budget. */
  hasCallBudget: boolean;
}

export interface PackModelsReading {
  models: PackModels;
  /** Names of those that play users. */
  simulators: string[];
  /** Names that the workspace has no account for, sorted. */
  unknown: string[];
  /** True when some simulated user is played by whatever model the deployment has. */
  usesDeployment: boolean;
}

/** Finds the models of the judges, and of the simulated users of one input set. */
export function readPackModels(
  { spec, phases }: { spec: EvaluationSpec; phases: CaseKey['phases'] },
  catalog: ModelCatalog,
): PackModelsReading {
  const simulated = phases.filter(({ actor }) => actor === 'llm');
  const simulators = simulated.flatMap(({ model }) => model ?? []);
  const named = [...spec.llm_judges.flatMap((judge) => judge.models), ...simulators];
  const models: PackModels = {};
  const unknown = new Set<string>();
  for (const name of new Set(named)) {
    const found = catalog.ofPack(name);
    if (found) models[name] = found;
    else unknown.add(name);
  }
  const isOpen = simulated.some(({ model }) => model === undefined);
  const simulator = isOpen ? catalog.ofPack(SIMULATOR) : undefined;
  if (simulator) {
    models[SIMULATOR] = simulator;
    simulators.push(SIMULATOR);
  }
  return { models, simulators, unknown: [...unknown].sort(), usesDeployment: isOpen && !simulator };
}

/** The model that plays the user of a phase: the phase's, else the workspace's simulator, else the deployment's. */
export function simulatorOf(
  { model }: Phase,
  models: PackModels,
  ofDeployment: ModelConnection | undefined,
): ModelConnection | undefined {
  return model === undefined ? (models[SIMULATOR] ?? ofDeployment) : models[model];
}
