import type { AgentConfigs, AgentKind, AttemptPlan, ModelConfig } from '@agentclash/attempt-plan';
import type { TaskDocument } from '@agentclash/domain';
import type { Egress } from '@agentclash/egress';
import type { Model } from '@agentclash/models';
import type { Clock } from '../clock.js';
import type { AttemptHistory } from '../events/history.js';
import type { PeerLookup } from '../model/peer-standings.js';
import type { Spending } from '../model/spending.js';
import type { Steps } from '../model/steps.js';
import type { AttemptEnd } from '../outcome/attempt-end.js';
import type { StageClock } from '../outcome/stage-clock.js';
import type { ReplyReader } from '../replies/read-reply.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import type { ArtifactReader } from '../staging/artifacts.js';
import type { Surface } from '../tools/surface.js';
import type { ToolCallHandler } from '../tools/tool-call-handler.js';
import type { PatternSearches } from '../workers/bounded-work.js';

/** The ports of the drivers of agents. */
export interface DriverPorts {
  egress: Egress;
  artifacts: ArtifactReader;
  patternSearches: PatternSearches;
  /** Reads replies of agents and of servers of tools; default: on this thread. */
  readReplies?: ReplyReader;
  clock: Clock;
  /** Opens the model of a deployment or a simulator; without it, attempts that need one end as `unsupported`. */
  openModel?: (config: ModelConfig) => Model;
  /** Reads a variable that a credential names (`env://NAME`); given only where the operator allows such references. */
  readVariable?: (name: string) => string | undefined;
  /** True when a person has requested a manual phase; called when the phase is reached. */
  isPhaseRequested?: (phaseId: string, signal: AbortSignal) => Promise<boolean>;
  /** The progress of the other lanes with this case. A lookup that fails is ignored. */
  peers?: PeerLookup;
}

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
