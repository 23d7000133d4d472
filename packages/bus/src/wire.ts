import { ContractError, type ErrorDetails, isErrorCode } from '@agentclash/contracts';

/** A reply on the wire: plain JSON, so that a caller in any language can read it. */
export type Reply =
  | { ok: true; data: unknown }
  | { ok: false; error: { code: string; message: string; details: ErrorDetails } };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encode(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

/** Throws `unreadable` for invalid JSON. An empty message is an empty object. */
export function decode(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    throw new ContractError('unreadable', 'The message is not JSON.', {}, { cause });
  }
}

/** The reply for a failure: errors with a code in full, bugs as `internal` without any detail. */
export function errorReply(error: unknown): Reply {
  if (error instanceof ContractError) {
    return { ok: false, error: { code: error.code, message: error.message, details: error.details } };
  }
  return {
    ok: false,
    error: { code: 'internal', message: 'Internal server error.', details: {} },
  };
}

export function replyValue(reply: unknown): unknown {
  const parsed = reply as Reply;
  if (parsed.ok) return parsed.data;
  const { code, message, details } = parsed.error;
  throw new ContractError(isErrorCode(code) ? code : 'internal', message, details);
}
