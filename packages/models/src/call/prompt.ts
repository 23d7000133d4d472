import { isJsonObject, type JsonObject, type JsonValue } from '@agentclash/challengepack';
import type { AgentTool } from '@agentclash/domain';
import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type { Message, ProposedCall } from '../model/model.js';
import { continuationParts } from './continuation.js';

/** The history as an SDK's prompt. Results of one reply's calls are one message, as providers require. */
export function promptOf(messages: readonly Message[], providerKey: string): LanguageModelV3Message[] {
  const prompt: LanguageModelV3Message[] = [];
  for (const message of messages) {
    const last = prompt.at(-1);
    if (message.role === 'tool' && last?.role === 'tool') last.content.push(resultPart(message));
    else prompt.push(asSdkMessage(message, providerKey));
  }
  return prompt;
}

export function toolsOf(tools: readonly AgentTool[]): LanguageModelV3FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
  }));
}

function asSdkMessage(message: Message, providerKey: string): LanguageModelV3Message {
  if (message.role === 'tool') return { role: 'tool', content: [resultPart(message)] };
  const text = { type: 'text', text: message.text } as const;
  if (message.role === 'assistant') {
    const textParts = message.text === '' ? [] : [text];
    const signed = continuationParts(message.continuation, providerKey);
    return { role: 'assistant', content: signed ?? [...textParts, ...message.toolCalls.map(callPart)] };
  }
  return message.role === 'user'
    ? { role: 'user', content: [text] }
    : { role: 'system', content: message.text };
}

function callPart({ id, name, arguments: args }: ProposedCall): LanguageModelV3ToolCallPart {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: sendableInput(args) };
}

function resultPart({
  toolCallId,
  toolName,
  result,
}: Extract<Message, { role: 'tool' }>): LanguageModelV3ToolResultPart {
  const output =
    typeof result === 'string'
      ? { type: 'text' as const, value: result }
      : { type: 'json' as const, value: result };
  return { type: 'tool-result', toolCallId, toolName, output };
}

/** Providers accept only objects in the history, also for invalid arguments of their model. */
export function sendableInput(args: JsonValue): JsonObject {
  return isJsonObject(args) ? args : { invalid_arguments: args };
}
