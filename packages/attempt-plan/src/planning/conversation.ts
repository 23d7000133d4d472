import {
  type Case,
  type Expectation,
  type Phase,
  renderTemplate,
  type Turn,
  templateContext,
  type UserSimulator,
  valueText,
} from '@agentclash/challengepack';
import type { TurnExpectationKind } from '@agentclash/domain';
import type {
  ArtifactRef,
  ModelConfig,
  PlannedConversation,
  PlannedPhase,
  PlannedTurn,
  TurnExpectation,
} from '../plan.js';
import { graderExpectations } from './expectations.js';

/** Of a conversation that sets no limit. */
export const TURNS_MAX = 50;
const HUMAN_TIMEOUT_MS = 30 * 60_000;

const EXECUTED: Record<TurnExpectationKind, true> = { exact_match: true, contains: true, regex_match: true };

export interface ConversationSources {
  /** Finds the stored file of an asset key as the case sees it. */
  artifactOf: (key: string) => ArtifactRef | undefined;
  /** The model that plays the user in a phase. */
  simulatorOf: (phase: Phase) => ModelConfig | undefined;
}

/** The user's side of a case, with its messages filled and its sources followed, before any human turn. */
export function plannedConversation(
  each: Case,
  simulator: UserSimulator,
  sources: ConversationSources,
): PlannedConversation {
  const context = templateContext(each.payload, each.inputs);
  const turn = ({ message, expects = [] }: Turn): PlannedTurn => ({
    message: renderTemplate(message, context, 'strict'),
    expects: turnExpectations(expects, each, sources),
  });
  return {
    turns_max: simulator.max_turns || TURNS_MAX,
    phases: simulator.phases.map((phase) => ({
      id: phase.id,
      trigger: phase.trigger ?? 'always',
      ...(phase.gate && { gate: phase.gate }),
      ...plannedActor(phase, turn, sources),
    })),
    requested_phases: [],
    human_turns: [],
  };
}

type Acting<P> = P extends unknown ? Omit<P, 'id' | 'trigger' | 'gate'> : never;

function plannedActor(
  phase: Phase,
  turn: (turn: Turn) => PlannedTurn,
  { simulatorOf }: ConversationSources,
): Acting<PlannedPhase> {
  if (phase.actor === 'scripted') return { actor: 'scripted', turns: (phase.turns ?? []).map(turn) };
  if (phase.actor === 'human') {
    const { timeout_ms, on_timeout = 'stop' } = phase;
    return { actor: 'human', timeout_ms: timeout_ms || HUMAN_TIMEOUT_MS, on_timeout };
  }
  const { persona = '', max_turns, until = [] } = phase;
  const simulator = simulatorOf(phase);
  return { actor: 'llm', persona, turns_max: max_turns || null, until, ...(simulator && { simulator }) };
}

function turnExpectations(
  expects: Expectation[],
  { inputs }: Case,
  { artifactOf }: ConversationSources,
): TurnExpectation[] {
  return expects.flatMap((expectation): TurnExpectation[] => {
    const { key, kind } = expectation;
    if (!isExecuted(kind)) return [];
    const [found] = graderExpectations({ expectations: [expectation], inputs }, artifactOf);
    if (!found) return [];
    return [
      'artifact' in found
        ? { key, kind, artifact: found.artifact }
        : { key, kind, text: valueText(found.value) },
    ];
  });
}

function isExecuted(kind: string): kind is TurnExpectationKind {
  return Object.hasOwn(EXECUTED, kind);
}
