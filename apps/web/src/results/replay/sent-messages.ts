/** A message that a model was sent, as a line of a conversation. */
import { recordOf, textOf } from '@agentclash/domain';

export interface SentMessage {
  role: string;
  /** What was sent, or where it stands in the replay. */
  text: string;
  /** It stands in a step above. */
  isAbove: boolean;
}

/** What was new to the model in a call; none where nothing is recorded. */
export function sentMessages(input: unknown): readonly SentMessage[] {
  const { messages } = recordOf(recordOf(input).sent);
  if (!Array.isArray(messages)) return [];
  return messages.map(recordOf).map((message) => {
    const role = textOf(message.role);
    const text = textOf(message.text);
    if (role === 'tool') return { role, text: `the result of ${textOf(message.tool_name)}`, isAbove: true };
    if (role === 'assistant' && text === '')
      return { role, text: 'its reply to the call before', isAbove: true };
    return { role, text, isAbove: false };
  });
}
