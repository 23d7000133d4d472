import type { Model } from '@agentclash/models';
import type { AttemptHistory } from '../attempt/history.js';
import type { AttemptEnd } from '../attempt/outcome.js';
import type { StageClock } from '../attempt/stage-clock.js';
import type { Clock } from '../clock.js';
import type { Spending } from '../model/spending.js';
import type { AgentConfigs, AgentKind, AttemptPlan, ModelConfig } from '../plan.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import type { ArtifactReader } from '../staging/artifacts.js';
import type { TaskDocument } from '../task/task-document.js';
import type { Surface } from '../tools/surface.js';
import type { ToolDesk } from '../tools/tool-desk.js';

/** What drives an agent: the means of one attempt, its clock running. */
export interface DriverContext {
  plan: Omit<AttemptPlan, 'agent'>;
  task: TaskDocument;
  surface: Surface;
  desk: ToolDesk;
  /** Absent in `prompt_eval`. */
  sandbox: AttemptSandbox | undefined;
  history: AttemptHistory;
  spending: Spending;
  artifacts: ArtifactReader;
  clock: Clock;
  stage: StageClock;
  openModel: ((config: ModelConfig) => Model) | undefined;
}

export interface Driven {
  end: AttemptEnd;
  stepCount: number;
  /** What the agent had put out when it stopped without an answer: evidence, if no answer. */
  output?: string;
}

/** Drives an agent to its end. Throws AttemptEnded. */
export type Driver<K extends AgentKind> = (
  config: AgentConfigs[K],
  context: DriverContext,
) => Promise<Driven>;
