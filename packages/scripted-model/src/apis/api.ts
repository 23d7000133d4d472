import type { JsonObject } from '@agentclash/domain';

/** Tokens that a reply reports; `input` includes cached ones. */
export interface ScriptedUsage {
  input: number;
  output: number;
  cachedInput?: number;
  cacheWrite?: number;
  reasoning?: number;
}

/** An error in the provider's format. */
export interface ProviderError {
  code?: string;
  message: string;
}

/** Why a reply ends. */
export type Finish = 'stop' | 'tool_calls' | 'length' | 'content_filter';

const FRAGMENT_CHARACTERS = 16;

/** A text in the fragments of a stream. */
export class FragmentedText implements Iterable<string> {
  constructor(
    readonly whole: string,
    /** Characters of one fragment; an endless text is repeated. */
    private readonly options: { fragment?: number; isEndless?: boolean } = {},
  ) {}

  *[Symbol.iterator](): Iterator<string> {
    const { fragment = FRAGMENT_CHARACTERS, isEndless = false } = this.options;
    do {
      for (let at = 0; at < this.whole.length; at += fragment) yield this.whole.slice(at, at + fragment);
    } while (isEndless && this.whole !== '');
  }
}

/** A call of a tool. */
export interface Call {
  id: string;
  name: string;
  namespace?: string;
  /** The tool takes text instead of JSON. */
  isCustom?: boolean;
  arguments: FragmentedText;
}

/** A reply before it is written in an API. */
export interface Reply {
  /** Of which APIs make their ids. */
  id: string;
  /** The id of the response, where the script names it. */
  responseId: string | undefined;
  model: string;
  reasoning: FragmentedText;
  text: FragmentedText;
  calls: readonly Call[];
  finish: Finish;
  usage: ScriptedUsage | null;
  /** The client has requested usage in the stream. */
  wantsUsage: boolean;
}

/** How a provider writes replies. */
export interface Api {
  /** The events of a stream with the content. */
  content(reply: Reply): Iterable<string>;
  /** The events that end a stream normally. */
  ending(reply: Reply): Iterable<string>;
  /** The reply to a request without a stream. */
  whole(reply: Reply): JsonObject;
  /** An error within a stream. */
  errorEvent(error: ProviderError): string;
  /** The body of a status of failure. */
  error(error: ProviderError, status: number): JsonObject;
}

/** The arguments as a value; text that is no JSON stays text. */
export function argumentsOf({ isCustom = false, arguments: { whole } }: Call): JsonObject {
  if (isCustom) return { input: whole };
  try {
    return JSON.parse(whole) as JsonObject;
  } catch {
    return { input: whole };
  }
}
