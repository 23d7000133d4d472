import type { JsonValue } from '@agentclash/challengepack';
import type { RecordedMessage } from '@agentclash/domain';
import type { Message } from '@agentclash/models';

/** The recorded part of a conversation; stored with its state while it is parked. */
export interface SentState {
  /** Messages of the last call. */
  count: number;
  /** The last call, whose reply is recorded under this id. */
  call_id: string;
}

/** The result of a call that never began, so that no event holds it. */
export const NOT_STARTED = { error: 'an answer was submitted before this call', code: 'not_started' };

/**
 * Records the messages of each model call: only those that are new since the previous call, so that a long conversation
 * takes space in proportion to its length. Conversations only grow at their end.
 */
export class SentMessages {
  constructor(private last?: SentState) {}

  get state(): SentState | undefined {
    return this.last;
  }

  /** The new messages of a call, and the index of the first. */
  record(messages: readonly Message[], callId: string): { from: number; messages: RecordedMessage[] } {
    const { count: from, call_id: repliedBy } = this.last ?? { count: 0, call_id: undefined };
    this.last = { count: messages.length, call_id: callId };
    return { from, messages: messages.slice(from).map((message) => recorded(message, repliedBy)) };
  }
}

function recorded(message: Message, repliedBy: string | undefined): RecordedMessage {
  switch (message.role) {
    case 'assistant': {
      if (repliedBy !== undefined) return { role: 'assistant', call_id: repliedBy };
      const tool_calls = message.toolCalls.map(({ id, name, arguments: args }) => ({
        id,
        name,
        arguments: args,
      }));
      return { role: 'assistant', text: message.text, tool_calls };
    }
    case 'tool': {
      const { toolCallId: tool_call_id, toolName: tool_name, result } = message;
      return { role: 'tool', tool_call_id, tool_name, ...(isNotStarted(result) && { result }) };
    }
    default:
      return { role: message.role, text: message.text };
  }
}

/** By its value: it may have been stored and read again. */
function isNotStarted(result: JsonValue): boolean {
  return JSON.stringify(result) === JSON.stringify(NOT_STARTED);
}
