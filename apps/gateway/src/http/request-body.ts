import { PACK_MEDIA_TYPES } from '@agentclash/api';
import { ContractError } from '@agentclash/contracts';

const PACK_TYPES: ReadonlySet<string> = new Set(PACK_MEDIA_TYPES);

export const BODY_BYTES_MAX = 1_048_576;
/** Deeper JSON is no valid request, and would overflow the stack of recursive code. */
const DEPTH_MAX = 64;

export function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.+-]+\+)?json$/.test(essence(contentType));
}

export function isPackType(contentType: string | undefined): boolean {
  return PACK_TYPES.has(essence(contentType));
}

/** True when a body has a content coding, which the gateway does not decode. */
export function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity';
}

export function packTooLarge(): ContractError {
  const limit = `${BODY_BYTES_MAX} bytes (1 MiB)`;
  const problem = { code: 'document_too_large', field: '', severity: 'error', line: 1, column: 1 } as const;
  return new ContractError('too_large', `The challenge pack has more than ${limit}.`, {
    errors: [{ ...problem, message: `the document has more than ${limit}` }],
  });
}

/** An empty body, which is no pack to validate. */
export function packEmpty(): ContractError {
  const problem = { code: 'document_empty', field: '', severity: 'error', line: 1, column: 1 } as const;
  return new ContractError('unreadable', 'The body is empty: send the challenge pack as the body.', {
    errors: [{ ...problem, message: 'the document is empty' }],
  });
}

function essence(contentType = ''): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** Reads a JSON body. Fails with `unreadable` for what is not UTF-8, not JSON or nested too deeply. */
export function readJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ContractError('unreadable', 'The body is not UTF-8.', {}, { cause });
  }
  if (isTooDeep(text))
    throw new ContractError('unreadable', `The body is nested deeper than ${DEPTH_MAX} levels.`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ContractError('unreadable', 'The body is not JSON.', {}, { cause });
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}
