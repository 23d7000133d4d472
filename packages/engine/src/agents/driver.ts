import type { AgentConfigs, AgentKind, AttemptPlan } from '@agentclash/attempt-plan';
import type { TaskDocument } from '@agentclash/domain';
import type { AttemptHistory } from '../events/history.js';
import type { Spending } from '../model/spending.js';
import type { Steps } from '../model/steps.js';
import type { AttemptEnd } from '../outcome/attempt-end.js';
import type { StageClock } from '../outcome/stage-clock.js';
import type { AttemptPorts } from '../ports.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import type { Surface } from '../tools/surface.js';
import type { ToolCallHandler } from '../tools/tool-call-handler.js';

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

/** The context of a driver: the parts of one attempt, with its clock running. */
export interface DriverContext extends DriverPorts {
  plan: Omit<AttemptPlan, 'agent'>;
  task: TaskDocument;
  surface: Surface;
  toolCalls: ToolCallHandler;
  /** Absent in `prompt_eval`. */
  sandbox: AttemptSandbox | undefined;
  history: AttemptHistory;
  spending: Spending;
  steps: Steps;
  stage: StageClock;
  /** Serves models and tools to a program. */
  broker?: { readonly token: string; readonly hasTools: boolean } | undefined;
}

export interface DriverResult {
  end: AttemptEnd;
  /** The output so far of an agent that ended without a final output: evidence only. */
  output?: string;
}

/** Drives an agent to its end. Throws AttemptEnded. */
export type Driver<K extends AgentKind> = (
  config: AgentConfigs[K],
  context: DriverContext,
) => Promise<DriverResult>;
