import { isRecord } from '@agentclash/domain';

/** A provider's own message about a failure: for classification and for the log, never for users. */
export interface ProviderMessage {
  code?: string;
  message?: string;
}

const MESSAGE_CHARS_MAX = 2_000;

/** Parses the body of an error response. HTML is ignored; plain text is a message. */
export function messageOfBody(body: string): ProviderMessage {
  const text = body.trim();
  if (text === '' || text.startsWith('<')) return {};
  try {
    return messageOfValue(JSON.parse(text));
  } catch {
    return { message: text.slice(0, MESSAGE_CHARS_MAX) };
  }
}

/**
 * Parses the error formats of providers: `{error: {code, type, message}}`, the inner object alone, a list of one, or a
 * bare string.
 */
export function messageOfValue(value: unknown): ProviderMessage {
  if (typeof value === 'string') return { message: value.slice(0, MESSAGE_CHARS_MAX) };
  if (Array.isArray(value)) return messageOfValue(value[0]);
  if (!isRecord(value)) return {};
  const { error, detail } = value;
  if (isRecord(error)) return messageOfValue(error);
  const code = [value.code, value.type, value.status].find(isCode);
  const message = [value.message, error, detail].find((text) => typeof text === 'string');
  return {
    ...(code !== undefined && { code: String(code).slice(0, MESSAGE_CHARS_MAX) }),
    ...(typeof message === 'string' && { message: message.slice(0, MESSAGE_CHARS_MAX) }),
  };
}

function isCode(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
