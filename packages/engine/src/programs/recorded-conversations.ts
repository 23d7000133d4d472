import type { EventPayloads, RecordedMessage } from '@agentclash/domain';
import type { WireMessage } from '@agentclash/model-broker';

/** Conversations that are followed at once; of more, the one that was idle for longest is recorded whole again. */
const CONVERSATIONS_MAX = 64;

interface RecordedConversation {
  callId: string;
  /** Of all its messages so far, in order. */
  digests: readonly string[];
}

/**
 * Records the messages of a program's calls: only those that are new since the call that a call continues. A program
 * may have several conversations at once (sub-agents, titles); a call continues the one with which it shares most.
 */
export class RecordedConversations {
  /** The latest last. */
  private readonly conversations: RecordedConversation[] = [];

  /** `digests` are those of the messages, in their order. */
  record(
    { messages, digests }: { messages: readonly WireMessage[]; digests: readonly string[] },
    callId: string,
  ): EventPayloads['model.call.messages'] {
    const { index, shared } = this.closest(digests);
    const continued = index === undefined ? undefined : this.conversations[index];
    // A conversation that branched off is followed beside the original.
    if (index !== undefined && continued?.digests.length === shared) this.conversations.splice(index, 1);
    this.conversations.push({ callId, digests });
    if (this.conversations.length > CONVERSATIONS_MAX) this.conversations.shift();
    const names = new Map<string, string>();
    const recorded = messages.map((message) => recordedMessage(message, names)).slice(shared);
    return {
      call_id: callId,
      ...(continued && { continues: continued.callId }),
      from: shared,
      messages: recorded,
    };
  }

  private closest(digests: readonly string[]): { index: number | undefined; shared: number } {
    let closest: { index: number | undefined; shared: number } = { index: undefined, shared: 0 };
    for (const [index, conversation] of this.conversations.entries()) {
      const shared = sharedPrefix(conversation.digests, digests);
      if (shared > 0 && shared >= closest.shared) closest = { index, shared };
    }
    return closest;
  }
}

function sharedPrefix(left: readonly string[], right: readonly string[]): number {
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared += 1;
  return shared;
}

function recordedMessage(message: WireMessage, toolNames: Map<string, string>): RecordedMessage {
  switch (message.role) {
    case 'assistant':
      for (const { id, name } of message.tool_calls) toolNames.set(id, name);
      return message;
    case 'tool': {
      const { tool_call_id, result } = message;
      return { role: 'tool', tool_call_id, tool_name: toolNames.get(tool_call_id) ?? '', result };
    }
    default:
      return message;
  }
}
