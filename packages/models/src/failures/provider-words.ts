import { isRecord } from '@agentclash/domain';

/** A provider's own words about a failure: for classing and for our log, never for users. */
export interface ProviderWords {
  code?: string;
  message?: string;
}

const WORDS_MAX = 2_000;

/** Reads the body of an error reply. HTML says nothing; plain text is a message. */
export function wordsOfBody(body: string): ProviderWords {
  const text = body.trim();
  if (text === '' || text.startsWith('<')) return {};
  try {
    return wordsOfValue(JSON.parse(text));
  } catch {
    return { message: text.slice(0, WORDS_MAX) };
  }
}

/**
 * Reads what providers send as an error: `{error: {code, type, message}}`, the inner object alone, a list of one, or a
 * bare string.
 */
export function wordsOfValue(value: unknown): ProviderWords {
  if (typeof value === 'string') return { message: value.slice(0, WORDS_MAX) };
  if (Array.isArray(value)) return wordsOfValue(value[0]);
  if (!isRecord(value)) return {};
  const { error, detail } = value;
  if (isRecord(error)) return wordsOfValue(error);
  const code = [value.code, value.type, value.status].find(isWord);
  const message = [value.message, error, detail].find((text) => typeof text === 'string');
  return {
    ...(code !== undefined && { code: String(code).slice(0, WORDS_MAX) }),
    ...(typeof message === 'string' && { message: message.slice(0, WORDS_MAX) }),
  };
}

function isWord(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
