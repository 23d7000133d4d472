import { isRecord, type JsonValue, listOf, NO_USAGE, textIn, type Usage } from '@agentclash/domain';
import { parsedText } from './json.js';
import type { WireReply, WireToolCall } from './wire.js';

/** Arguments that a provider sends as text: their JSON value, else (also where it nests too deep) the text itself. */
export function parsedArguments(text: string): JsonValue {
  if (text === '') return {};
  return (parsedText(text) as JsonValue | undefined) ?? text;
}

/** The text of content that is a string or a list of parts; other parts are named by their type. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .filter(isRecord)
    .map((part) => textIn(part, 'text') ?? `[${textIn(part, 'type') ?? 'part'}]`)
    .join('\n');
}

/** A count that a provider reported; null where it did not. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}

export function sum(...counts: (number | null)[]): number | null {
  const known = counts.filter((each) => each !== null);
  return known.length === 0 ? null : known.reduce((total, each) => total + each, 0);
}

/** A reply that is being read. */
export class ReplyState implements WireReply {
  text = '';
  toolCalls: WireToolCall[] = [];
  finishReason: WireReply['finishReason'] = null;
  usage: Usage = NO_USAGE;
  responseModel: string | null = null;
  responseId: string | null = null;
  isComplete = false;
  error: WireReply['error'] = null;
}
