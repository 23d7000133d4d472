import type {
  ArtifactRef,
  HumanPhase,
  PlannedConversation,
  PlannedPhase,
  SimulatedPhase,
  TurnExpectation,
} from '@agentclash/attempt-plan';
import type { PhaseGate } from '@agentclash/challengepack';
import type { ExpectationOutcome, TurnExpectationKind } from '@agentclash/domain';
import type { DriverResult } from '../agents/driver.js';
import { requireModel } from '../agents/model-agent.js';
import { AttemptEnded, unlessAborted } from '../outcome/attempt-end.js';
import { readArtifact } from '../staging/artifacts.js';
import type { PatternSearches, WorkBounds } from '../workers/bounded-work.js';
import type { AgentSide } from './agent-side.js';
import type { ConversationContext, ParkedConversation } from './converse.js';
import {
  afterTurn,
  type ConversationStop,
  endOfConversation,
  entered,
  graded,
  lastMessage,
  left,
  nextMove,
  stopReasonOf,
} from './progress.js';
import { simulateUser } from './simulator.js';
import type { ConversationProgress, HumanReply } from './state.js';

interface UserMessage {
  phase: PlannedPhase;
  message: string;
  expects: readonly TurnExpectation[];
}

/** Runs a conversation: produces the user's messages, phase by phase, and records the agent's. */
export class Conversation {
  private progress: ConversationProgress;
  private readonly side: AgentSide;
  private readonly context: ConversationContext;

  constructor(
    private readonly plan: PlannedConversation,
    options: { side: AgentSide; context: ConversationContext; progress: ConversationProgress },
  ) {
    this.progress = options.progress;
    this.side = options.side;
    this.context = options.context;
  }

  /** The messages so far stay evidence, however the conversation ends. */
  async resume(reply?: HumanReply): Promise<DriverResult | ParkedConversation> {
    try {
      return await this.loop(reply);
    } catch (error) {
      if (!(error instanceof AttemptEnded)) throw error;
      return this.ended(error.end);
    }
  }

  private async loop(reply: HumanReply | undefined): Promise<DriverResult | ParkedConversation> {
    let over: DriverResult | ParkedConversation | undefined = reply && (await this.resumeWith(reply));
    while (!over) {
      this.context.stage.check();
      over = await this.move();
    }
    return over;
  }

  private async move(): Promise<DriverResult | ParkedConversation | undefined> {
    this.context.history.openPhase = this.openPhase?.id;
    const next = nextMove(this.plan, this.progress);
    if (next.move === 'stop') return this.stop(next.stop);
    if (next.move === 'leave') {
      if (this.openPhase) await this.grade(this.openPhase);
      this.progress = left(this.progress);
    } else if (next.move === 'take_turn') return this.takeTurn(next.phase);
    else if (
      next.move === 'enter' ||
      (next.move === 'check_request' && (await this.wasRequested(next.phase)))
    ) {
      this.progress = entered(this.progress);
    } else this.skip(next.phase);
    return undefined;
  }

  /** The phase that has begun, where it has a gate. */
  private get openPhase(): { id: string; gate: PhaseGate } | undefined {
    const { id, gate } = this.plan.phases[this.progress.phase] ?? {};
    return id !== undefined && gate && this.progress.is_entered ? { id, gate } : undefined;
  }

  private async grade({ id, gate }: { id: string; gate: PhaseGate }): Promise<void> {
    const { gradePhase, history } = this.context;
    if (!gradePhase) {
      const message = 'a phase has a gate, and nothing grades it';
      throw new AttemptEnded({ because: 'infra', code: 'malformed_plan', message });
    }
    const score = await gradePhase(id, gate.validator);
    history.openPhase = undefined;
    this.progress = graded(this.progress, gate, score);
  }

  private skip({ id: phase_id, trigger }: PlannedPhase): void {
    this.context.history.events.record(
      'turn.phase.skipped',
      { phase_id, trigger },
      { summary: { phase_id } },
    );
    this.progress = left(this.progress);
  }

  private async wasRequested({ id }: PlannedPhase): Promise<boolean> {
    if (this.plan.requested_phases.includes(id)) return true;
    const { isPhaseRequested, stage } = this.context;
    if (!isPhaseRequested) return false;
    try {
      return await unlessAborted(isPhaseRequested(id, stage.signal), stage.signal);
    } catch (cause) {
      stage.signal.throwIfAborted();
      const message = 'the requests of manual phases could not be read';
      const end = { because: 'infra', code: 'phases_unavailable', message } as const;
      throw Object.assign(new AttemptEnded(end), { cause });
    }
  }

  private async takeTurn(phase: PlannedPhase): Promise<DriverResult | ParkedConversation | undefined> {
    if (phase.actor === 'llm') return this.turn({ phase, message: await this.simulated(phase), expects: [] });
    if (phase.actor === 'human') return this.humanTurn(phase);
    const turn = phase.turns[this.progress.phase_turns];
    return turn && this.turn({ phase, ...turn });
  }

  private async simulated(phase: PlannedPhase & SimulatedPhase): Promise<string> {
    const { plan, stage, history, simulatorSpending } = this.context;
    const model = requireModel(phase.simulator, this.context);
    const input = {
      persona: phase.persona,
      payload: plan.case.payload,
      transcript: this.progress.transcript,
    };
    const { message, spent } = await simulateUser(input, {
      model,
      signal: stage.signal,
      beginWait: stage.beginWait,
      spending: simulatorSpending,
    });
    const { usage, costUsd: cost_usd } = spent;
    const simulated = { turn_index: this.progress.turns, model: model.name, usage, cost_usd };
    history.events.record('turn.user.simulated', simulated, { summary: this.summaryOf(phase) });
    return message;
  }

  private async humanTurn(
    phase: PlannedPhase & HumanPhase,
  ): Promise<DriverResult | ParkedConversation | undefined> {
    const given = this.plan.human_turns.find(({ phase_id }) => phase_id === phase.id);
    if (given) return this.turn({ phase, message: given.message, expects: [] });
    const { clock, history } = this.context;
    const deadline_at = new Date(clock.now() + phase.timeout_ms).toISOString();
    const awaited = { turn_index: this.progress.turns, phase_id: phase.id, deadline_at };
    history.events.record('turn.awaiting_human', awaited, { summary: this.summaryOf(phase) });
    return { awaited, progress: this.progress, agent: this.side.memory() };
  }

  /** Continues with a person's message, or without one after its timeout. */
  private async resumeWith(reply: HumanReply): Promise<DriverResult | undefined> {
    const phase = this.plan.phases[this.progress.phase];
    if (phase?.actor !== 'human') {
      const message = 'the conversation did not wait for a person';
      throw new AttemptEnded({ because: 'infra', code: 'malformed_state', message });
    }
    if ('timedOut' in reply) return this.stop({ cause: 'human_timeout', onTimeout: phase.on_timeout });
    return this.turn({ phase, message: reply.message, expects: [] });
  }

  private async turn({ phase, message, expects }: UserMessage): Promise<DriverResult | undefined> {
    const { history, plan } = this.context;
    const { events, secrets } = history;
    const turn_index = this.progress.turns;
    const summary = this.summaryOf(phase);
    const { id: phase_id, actor } = phase;
    events.record('turn.user.message', { turn_index, phase_id, actor, message }, { summary });
    const transcript = [...this.progress.transcript, { role: 'user' as const, message }];
    const taken = await this.side.reply({ index: turn_index, message, transcript });
    if ('end' in taken) return this.ended(taken.end);
    const reply = secrets.redact(taken.message);
    if (Buffer.byteLength(reply) > plan.limits.max_output_bytes) {
      return this.ended({ because: 'limit', limit: 'output' });
    }
    events.record('turn.assistant.message', { turn_index, message: reply }, { summary });
    const { patternSearches, stage } = this.context;
    const outcomes = await checkMessage(reply, expects, {
      patternSearches,
      signal: stage.signal,
      exclude: stage.exclude,
      read: (artifact) => this.textOf(artifact),
    });
    const mismatch = outcomes.length === 0 ? undefined : outcomes.some(({ passed }) => !passed);
    const completed = { turn_index, phase_id, actor, mismatch: mismatch ?? false, expects: outcomes };
    events.record('turn.completed', completed, { summary: { ...summary, mismatch: completed.mismatch } });
    this.progress = afterTurn(this.progress, { phase, message, reply, mismatch });
    return undefined;
  }

  private async textOf(artifact: Parameters<typeof readArtifact>[0]): Promise<string> {
    const { artifacts, stage } = this.context;
    return Buffer.from(await readArtifact(artifact, artifacts, stage.signal)).toString();
  }

  private stop(stop: ConversationStop): DriverResult {
    const { turns, actors_used, mismatch_turns, human_turns } = this.progress;
    this.context.history.events.record('conversation.completed', {
      turn_count: turns,
      actors_used,
      mismatch_turns,
      human_turn_count: human_turns,
      stop_reason: stopReasonOf(stop),
    });
    return this.ended(endOfConversation(stop, lastMessage(this.progress.transcript, 'assistant')));
  }

  private ended(end: DriverResult['end']): DriverResult {
    const { transcript, turns } = this.progress;
    return { end, ...(turns > 0 && { output: lastMessage(transcript, 'assistant') }) };
  }

  private summaryOf({ id, actor }: PlannedPhase) {
    return { turn_index: this.progress.turns, phase_id: id, actor };
  }
}

interface CheckContext extends WorkBounds {
  patternSearches: PatternSearches;
  /** The text of a stored file. */
  read: (artifact: ArtifactRef) => Promise<string>;
}

type Check = (message: string, expected: string, context: CheckContext) => boolean | Promise<boolean>;

const CHECKS: Record<TurnExpectationKind, Check> = {
  exact_match: (message, expected) => message.trim() === expected.trim(),
  contains: (message, expected) => message.includes(expected),
  regex_match: matches,
};

async function matches(message: string, pattern: string, context: CheckContext): Promise<boolean> {
  const { patternSearches, signal, exclude } = context;
  const task = { pattern, isCaseSensitive: true, texts: [message], max: 1 };
  const reply = await patternSearches.search(task, { signal, exclude });
  return Array.isArray(reply) && reply.length > 0;
}

/** Checks a message against the expectations of its turn. */
export async function checkMessage(
  message: string,
  expects: readonly TurnExpectation[],
  context: CheckContext,
): Promise<ExpectationOutcome[]> {
  const outcomes: ExpectationOutcome[] = [];
  for (const expectation of expects) {
    const { key, kind } = expectation;
    const expected = 'artifact' in expectation ? await context.read(expectation.artifact) : expectation.text;
    outcomes.push({ key, kind, passed: await CHECKS[kind](message, expected, context) });
  }
  return outcomes;
}
