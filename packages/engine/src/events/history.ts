import type { AgentKind, AttemptPlan } from '@agentclash/attempt-plan';
import type { AttemptEvent, EventSource, EvidenceLevel, ExecutionMode } from '@agentclash/domain';
import type { Clock } from '../clock.js';
import { OpenedSecrets, type SecretResolver } from '../secrets/opened-secrets.js';
import { AttemptEvents } from './attempt-events.js';
import { type KeptEvent, KeptEvidence } from './kept-evidence.js';

/** The events of one delivery and the secrets that they must not contain. Agent phase and verifier share it. */
export interface AttemptHistory {
  events: AttemptEvents;
  secrets: OpenedSecrets;
  /** Present where scripts will grade the delivery. */
  evidence?: KeptEvidence;
  /** The phase of the conversation that has begun and whose gate has not graded it yet. */
  openPhase?: string | undefined;
}

export interface HistoryOptions {
  clock: Clock;
  /** Takes every event in order, numbered and redacted; it must not throw. */
  emit: (event: AttemptEvent) => void;
  secrets: SecretResolver;
  /** Resolves when `emit` accepts more. Must not reject. */
  drained?: () => Promise<void>;
  /** Events after which an attempt ends as `limit_reached` with the kind `events`; default: no limit. */
  eventsMax?: number;
  /** Number of the last event already recorded: a verifier retried alone continues from there. */
  lastSequence?: number;
  /** The evidence that a parked delivery has kept so far. */
  keptEvents?: readonly KeptEvent[] | undefined;
}

type HistoryPlan = Pick<
  AttemptPlan,
  | 'run_id'
  | 'run_agent_id'
  | 'attempt_id'
  | 'delivery'
  | 'case_key'
  | 'repetition'
  | 'mode'
  | 'script_runtimes'
> & { agent: Pick<AttemptPlan['agent'], 'kind'> };

const MODEL_SOURCES: Record<ExecutionMode, EventSource> = {
  native: 'native_engine',
  // The same loop; `system.run.started` names the mode.
  responses: 'native_engine',
  prompt_eval: 'prompt_eval_engine',
  multi_turn: 'multi_turn_engine',
};
const AGENT_SOURCES: Record<Exclude<AgentKind, 'model'>, EventSource> = {
  program: 'program_agent',
  endpoint: 'endpoint_agent',
  scripted: 'scripted_agent',
};
const EVIDENCE_LEVELS: Record<AgentKind, EvidenceLevel> = {
  model: 'native_structured',
  scripted: 'native_structured',
  program: 'hosted_black_box',
  endpoint: 'hosted_black_box',
};

export function openHistory(plan: HistoryPlan, options: HistoryOptions): AttemptHistory {
  const { run_id, run_agent_id, attempt_id, delivery, case_key, repetition, mode, agent } = plan;
  const secrets = new OpenedSecrets(options.secrets);
  const evidence = plan.script_runtimes ? new KeptEvidence(options.keptEvents) : undefined;
  const events = new AttemptEvents({
    identity: { run_id, run_agent_id, attempt_id, delivery, case_key, repetition },
    source: agent.kind === 'model' ? MODEL_SOURCES[mode] : AGENT_SOURCES[agent.kind],
    evidenceLevel: EVIDENCE_LEVELS[agent.kind],
    clock: options.clock,
    emit: (event) => {
      evidence?.take(event);
      options.emit(event);
    },
    drained: options.drained,
    eventsMax: options.eventsMax,
    redact: secrets.redact,
    lastSequence: options.lastSequence,
  });
  return { events, secrets, ...(evidence && { evidence }) };
}
