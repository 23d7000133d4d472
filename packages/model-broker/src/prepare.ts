import { createHash } from 'node:crypto';
import { isRecord, type Payload, type WireKey } from '@agentclash/domain';
import type { RefusalReason } from './observer.js';
import { type CallPath, WIRES } from './routes.js';
import type { CallHead, Conversation, Restriction } from './wires/wire.js';

/** Deeper values are refused: recursive readers would exhaust the stack. */
const DEPTH_MAX = 200;

/** A request of a program, before it is read. Plain data, so that another thread can prepare it. */
export interface RawCall {
  wire: WireKey;
  kind: 'call' | 'count_tokens';
  body: Uint8Array;
  /** Of the request's path, where the protocol has them there. */
  path: CallPath;
  /** The provider's name of the model of each alias. */
  models: Readonly<Record<string, string>>;
  /** The alias of every model name that is no alias. */
  main: string;
  /** The pack grants the provider's own tools along with the network. */
  allowsServerFeatures: boolean;
}

export interface PreparedCall {
  alias: string;
  head: CallHead;
  /** The request as the provider receives it. */
  body: string;
  /** Below the account's base URL. */
  path: string;
  conversation: Conversation;
  /** One for each message, by which a conversation is recognised. */
  digests: string[];
  removed: readonly Restriction[];
}

/** A request that leads to no call. */
export interface RefusedCall {
  refused: { reason: RefusalReason; status: number; message: string } & Partial<Restriction>;
}

/** Reads a request, takes the provider's own features out and writes it for the provider. Pure. */
export function prepareCall(raw: RawCall): PreparedCall | RefusedCall {
  const wire = WIRES[raw.wire];
  const value = parsedBody(raw.body);
  if (value === undefined) {
    return { refused: { reason: 'invalid_body', status: 400, message: 'The body is not a JSON object.' } };
  }
  const restricted = raw.allowsServerFeatures ? { body: value, removed: [] } : wire.restrict(value);
  if (restricted.refused) {
    const { path, feature } = restricted.refused;
    const message = `${path}: ${feature} is not available here.`;
    return { refused: { reason: 'server_feature', status: 400, message, path, feature } };
  }
  const { body, removed } = restricted;
  const head = wire.head(body, raw.path);
  const { model: requested } = head;
  const alias = requested !== undefined && Object.hasOwn(raw.models, requested) ? requested : raw.main;
  const model = raw.models[alias] ?? alias;
  const path =
    raw.kind === 'call' ? wire.path({ model, isStream: head.isStream }) : wire.countTokensPath?.(model);
  if (path === undefined) {
    return { refused: { reason: 'route', status: 404, message: 'This API counts no tokens.' } };
  }
  const conversation = wire.conversation(body);
  return {
    alias,
    head,
    path,
    body: JSON.stringify(wire.outgoing(body, model)),
    conversation,
    digests: conversation.messages.map((message) =>
      createHash('sha256').update(JSON.stringify(message)).digest('base64'),
    ),
    removed,
  };
}

/** A body that is a JSON object of bounded depth. */
function parsedBody(body: Uint8Array): Payload | undefined {
  if (depthOf(body) > DEPTH_MAX) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

function depthOf(json: Uint8Array): number {
  let [depth, deepest, isText] = [0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (OPENING.has(byte)) deepest = Math.max(deepest, ++depth);
    else if (CLOSING.has(byte)) depth -= 1;
  }
  return deepest;
}
