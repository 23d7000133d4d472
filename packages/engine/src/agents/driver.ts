import type { AgentConfigs, AgentKind, AttemptPlan } from '@agentclash/attempt-plan';
import type { AttemptHistory } from '../attempt/history.js';
import type { AttemptEnd } from '../attempt/outcome.js';
import type { AttemptPorts } from '../attempt/ports.js';
import type { StageClock } from '../attempt/stage-clock.js';
import type { Steps } from '../loop/steps.js';
import type { Spending } from '../model/spending.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import type { TaskDocument } from '../task/task-document.js';
import type { Surface } from '../tools/surface.js';
import type { ToolDesk } from '../tools/tool-desk.js';

type DriverPorts = Pick<
  AttemptPorts,
  | 'artifacts'
  | 'clock'
  | 'egress'
  | 'isPhaseRequested'
  | 'openModel'
  | 'patternSearches'
  | 'peers'
  | 'readVariable'
>;

/** What drives an agent: the means of one attempt, its clock running. */
export interface DriverContext extends DriverPorts {
  plan: Omit<AttemptPlan, 'agent'>;
  task: TaskDocument;
  surface: Surface;
  desk: ToolDesk;
  /** Absent in `prompt_eval`. */
  sandbox: AttemptSandbox | undefined;
  history: AttemptHistory;
  spending: Spending;
  steps: Steps;
  stage: StageClock;
}

export interface Driven {
  end: AttemptEnd;
  /** What the agent had put out when it stopped without an answer: evidence, if no answer. */
  output?: string;
}

/** Drives an agent to its end. Throws AttemptEnded. */
export type Driver<K extends AgentKind> = (
  config: AgentConfigs[K],
  context: DriverContext,
) => Promise<Driven>;
