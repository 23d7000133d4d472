/** A message that a model was sent, as a line of a conversation. */
import { recordOf, textOf } from '@agentclash/domain';

export interface SentMessage {
  role: string;
  /** The text, or its position in the replay. */
  text: string;
  /** Whether an earlier step shows it. */
  isAbove: boolean;
}

/** The messages that a call added to the conversation; empty where none are recorded. */
export function sentMessages(input: unknown): readonly SentMessage[] {
  const { messages } = recordOf(recordOf(input).sent);
  if (!Array.isArray(messages)) return [];
  return messages.map(recordOf).map((message) => {
    const role = textOf(message.role);
    const text = textOf(message.text);
    if (role === 'tool') return { role, text: `result of ${textOf(message.tool_name)}`, isAbove: true };
    if (role === 'assistant' && text === '')
      return { role, text: 'reply to the previous call', isAbove: true };
    return { role, text, isAbove: false };
  });
}
