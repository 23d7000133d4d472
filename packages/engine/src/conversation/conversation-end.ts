import type { AttemptEnd } from '../attempt/outcome.js';

export type StopReason = 'completed' | 'max_turns' | 'human_turn_timeout';

/** What ended a conversation. */
export type ConversationStop =
  | { cause: 'phases_done' }
  | { cause: 'max_turns' }
  | { cause: 'human_timeout'; onTimeout: 'stop' | 'fail' };

const STOP_REASONS: Record<ConversationStop['cause'], StopReason> = {
  phases_done: 'completed',
  max_turns: 'max_turns',
  human_timeout: 'human_turn_timeout',
};

/** The end of the attempt that a stopped conversation means; `lastMessage` is the assistant's. */
export function endOfConversation(stop: ConversationStop, lastMessage: string): AttemptEnd {
  if (stop.cause === 'human_timeout' && stop.onTimeout === 'fail') {
    return { because: 'cancelled', reason: 'human_turn_timeout' };
  }
  return { because: 'answer', finishedBy: 'conversation', answer: lastMessage };
}

export function stopReasonOf(stop: ConversationStop): StopReason {
  return STOP_REASONS[stop.cause];
}
