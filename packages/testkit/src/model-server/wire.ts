import type { ProviderError, ScriptedCall, ScriptedReply, ScriptedUsage } from './behaviour.js';

/** A provider's format on the wire. */
export interface Wire {
  path: string;
  /** The content events of a reply. */
  content(reply: ScriptedReply, about: ReplyContext): Iterable<string>;
  /** The events that end a reply normally. */
  ending(reply: ScriptedReply, about: ReplyContext): Iterable<string>;
  errorEvent(error: ProviderError): string;
  /** The body of an error status. */
  errorBody(error: ProviderError, status: number): string;
}

export interface ReplyContext {
  id: string;
  model: string;
  /** True when the client requested usage in the stream. */
  wantsUsage: boolean;
}

const FRAGMENT_CHARACTERS = 16;

export function* fragments(
  text: string,
  { fragment = FRAGMENT_CHARACTERS }: ScriptedReply,
): Iterable<string> {
  for (let at = 0; at < text.length; at += fragment) yield text.slice(at, at + fragment);
}

/** The fragments of the text; without end for an endless reply. */
export function* textFragments(reply: ScriptedReply): Iterable<string> {
  const { text = '', isEndless = false } = reply;
  do yield* fragments(text, reply);
  while (isEndless && text !== '');
}

export function usageIn({ usage }: ScriptedReply): ScriptedUsage | null {
  return usage === undefined ? { input: 10, output: 5 } : usage;
}

export function argumentText({ arguments: args }: ScriptedCall): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}

export function finishOf({ finish, toolCalls = [] }: ScriptedReply): NonNullable<ScriptedReply['finish']> {
  return finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
}
