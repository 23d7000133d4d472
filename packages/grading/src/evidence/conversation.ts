import { isBlank } from '@agentclash/challengepack';
import { numberIn, type PayloadOf, textIn } from '@agentclash/domain';
import type { EvidenceEvent } from './types.js';

/** One turn of a conversation, from all events that carry its index. */
export interface Turn {
  readonly index: number;
  readonly events: readonly EvidenceEvent[];
  /** `user[i]: …` and `assistant[i]: …`, blank messages left out. */
  readonly lines: readonly string[];
  readonly phaseId: string | undefined;
  /** True when an expectation of the turn failed; undefined when the turn did not complete. */
  readonly mismatch: boolean | undefined;
}

const SPEAKERS = new Map([
  ['turn.user.message', 'user'],
  ['turn.assistant.message', 'assistant'],
]);
const COMPLETED = 'turn.completed';

/** The turns of the conversation, by index; none outside conversations. */
export function conversationTurns(events: readonly EvidenceEvent[]): Turn[] {
  const byIndex = new Map<number, EvidenceEvent[]>();
  for (const event of events) {
    if (!SPEAKERS.has(event.event_type) && event.event_type !== COMPLETED) continue;
    const index = numberIn(event.payload, 'turn_index');
    if (index === undefined) continue;
    const ofTurn = byIndex.get(index);
    if (ofTurn === undefined) byIndex.set(index, [event]);
    else ofTurn.push(event);
  }
  return [...byIndex].sort(([a], [b]) => a - b).map(([index, ofTurn]) => turnOf(index, ofTurn));
}

/** The turns from the first mismatch on; none without one. */
export function turnsFromMismatch(turns: readonly Turn[]): Turn[] {
  const first = turns.findIndex(({ mismatch }) => mismatch === true);
  return first === -1 ? [] : turns.slice(first);
}

export function transcriptText(turns: readonly Turn[]): string {
  return turns.flatMap(({ lines }) => lines).join('\n');
}

function turnOf(index: number, events: readonly EvidenceEvent[]): Turn {
  const completed = events.findLast(({ event_type }) => event_type === COMPLETED);
  const phases = [completed, ...events].map((event) => event && textIn(event.payload, 'phase_id'));
  return {
    index,
    events,
    lines: events.flatMap((event) => line(index, event)),
    phaseId: phases.find((phase) => phase !== undefined),
    mismatch: completed && isMismatch(completed.payload),
  };
}

function isMismatch({ mismatch }: PayloadOf<typeof COMPLETED>): boolean {
  return mismatch === true;
}

function line(index: number, event: EvidenceEvent): string[] {
  const speaker = SPEAKERS.get(event.event_type);
  const message = textIn(event.payload, 'message') ?? '';
  return speaker === undefined || isBlank(message) ? [] : [`${speaker}[${index}]: ${message}`];
}
