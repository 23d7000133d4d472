import type { WireKey } from '@agentclash/domain';
import { anthropic } from './wires/anthropic.js';
import { chat } from './wires/chat.js';
import { google } from './wires/google.js';
import { responses } from './wires/responses.js';
import type { Wire } from './wires/wire.js';

export const WIRES: Record<WireKey, Wire> = { anthropic, chat, responses, google };

/** The parts of a call that its protocol has in the path. */
export interface CallPath {
  model?: string;
  isStream?: boolean;
}

/** The operation of a program's request. */
export type Operation =
  | { kind: 'call' | 'count_tokens'; wire: Wire; path: CallPath }
  | { kind: 'list_models'; wire: Wire }
  /** A `HEAD` or `GET /`, by which clients test whether the address is served. */
  | { kind: 'reachable' }
  /** A message of an MCP client, or a method that its endpoint refuses. */
  | { kind: 'mcp' };

/** Paths with and without the version, since clients differ in which part of the base URL they expect. */
const POSTS: readonly [RegExp, Operation][] = [
  [/^(?:\/v1)?\/messages$/, { kind: 'call', wire: anthropic, path: {} }],
  [/^(?:\/v1)?\/messages\/count_tokens$/, { kind: 'count_tokens', wire: anthropic, path: {} }],
  [/^(?:\/v1)?\/chat\/completions$/, { kind: 'call', wire: chat, path: {} }],
  [/^(?:\/v1)?\/responses$/, { kind: 'call', wire: responses, path: {} }],
];
const GOOGLE_CALL =
  /^(?:\/v1(?:beta)?)?\/models\/([^/:]{1,256}):(generateContent|streamGenerateContent|countTokens)$/;

/** The operation of a request; undefined for any that the broker does not serve. */
export function operationOf(method: string, pathname: string): Operation | undefined {
  if (pathname === '/mcp') return { kind: 'mcp' };
  if (method === 'HEAD' || (method === 'GET' && pathname === '/')) return { kind: 'reachable' };
  if (method === 'GET') {
    if (pathname === '/v1beta/models') return { kind: 'list_models', wire: google };
    if (pathname === '/v1/models' || pathname === '/models') return { kind: 'list_models', wire: chat };
    return undefined;
  }
  if (method !== 'POST') return undefined;
  const [, encoded, verb] = GOOGLE_CALL.exec(pathname) ?? [];
  if (encoded !== undefined) return googleOperation(encoded, verb);
  return POSTS.find(([path]) => path.test(pathname))?.[1];
}

function googleOperation(encoded: string, verb: string | undefined): Operation | undefined {
  const model = decoded(encoded);
  if (model === undefined) return undefined;
  if (verb === 'countTokens') return { kind: 'count_tokens', wire: google, path: { model } };
  return { kind: 'call', wire: google, path: { model, isStream: verb === 'streamGenerateContent' } };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
