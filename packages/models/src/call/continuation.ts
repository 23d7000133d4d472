import { isJsonObject, type JsonValue } from '@agentclash/challengepack';
import type { LanguageModelV3Message } from '@ai-sdk/provider';

type AssistantMessage = Extract<LanguageModelV3Message, { role: 'assistant' }>;
export type AssistantPart = AssistantMessage['content'][number];

/**
 * A reply in the form that its provider needs in the history: with signed reasoning and signed calls. Undefined when
 * text and calls alone are equivalent.
 */
export function continuationOf(parts: readonly AssistantPart[], providerKey: string): JsonValue | undefined {
  const isPlain = parts.every((part) => part.type !== 'reasoning' && part.providerOptions === undefined);
  if (isPlain) return undefined;
  const json: JsonValue = JSON.parse(JSON.stringify({ provider: providerKey, parts }));
  return json;
}

/** The parts of a continuation of this provider; undefined for another provider's. */
export function continuationParts(
  continuation: JsonValue | undefined,
  providerKey: string,
): AssistantPart[] | undefined {
  if (!isJsonObject(continuation) || continuation.provider !== providerKey) return undefined;
  const parts: unknown = continuation.parts;
  return Array.isArray(parts) ? parts.filter(isAssistantPart) : undefined;
}

const PART_TYPES = new Set<unknown>(['text', 'reasoning', 'tool-call'] satisfies AssistantPart['type'][]);

function isAssistantPart(value: unknown): value is AssistantPart {
  return typeof value === 'object' && value !== null && 'type' in value && PART_TYPES.has(value.type);
}
