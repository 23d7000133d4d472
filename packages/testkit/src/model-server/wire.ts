import type { Answer, AnswerCall, AnswerUsage, ProviderComplaint } from './behaviour.js';

/** A provider's format on the wire. */
export interface Wire {
  path: string;
  /** The events of a whole answer. */
  content(answer: Answer, about: AnswerAbout): Iterable<string>;
  /** What ends an answer well. */
  ending(answer: Answer, about: AnswerAbout): Iterable<string>;
  errorEvent(complaint: ProviderComplaint): string;
  /** Beside a status. */
  errorBody(complaint: ProviderComplaint, status: number): string;
}

export interface AnswerAbout {
  id: string;
  model: string;
  /** Whether the client asked for usage in the stream. */
  wantsUsage: boolean;
}

const FRAGMENT_CHARACTERS = 16;

export function* fragments(text: string, { fragment = FRAGMENT_CHARACTERS }: Answer): Iterable<string> {
  for (let at = 0; at < text.length; at += fragment) yield text.slice(at, at + fragment);
}

/** The fragments of the text; without end where the answer has none. */
export function* spoken(answer: Answer): Iterable<string> {
  const { text = '', isEndless = false } = answer;
  do yield* fragments(text, answer);
  while (isEndless && text !== '');
}

export function usageIn({ usage }: Answer): AnswerUsage | null {
  return usage === undefined ? { input: 10, output: 5 } : usage;
}

export function argumentText({ arguments: args }: AnswerCall): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}

export function finishOf({ finish, toolCalls = [] }: Answer): NonNullable<Answer['finish']> {
  return finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
}
