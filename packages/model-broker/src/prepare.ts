import { createHash } from 'node:crypto';
import { isRecord, type WireKey } from '@agentclash/domain';
import type { RequestPart } from '@agentclash/models';
import { type PartsForm, requestParts } from './neutral/request-parts.js';
import type { RefusedReason } from './observer.js';
import { type CallPath, WIRES } from './routes.js';
import { parsedJson } from './wires/json.js';
import type { CallHead, Conversation, OutputMax, Restriction } from './wires/wire.js';

/** A request of a program, before it is read. Plain data, so that another thread can prepare it. */
export interface RawCall {
  wire: WireKey;
  kind: 'call' | 'count_tokens';
  body: Uint8Array;
  /** Of the request's path, where the protocol has them there. */
  path: CallPath;
  /** The provider's name of the model of each alias. */
  models: Readonly<Record<string, string>>;
  /** The alias of every name that is neither an alias nor a model of one. */
  main: string;
  /** The pack grants the provider's own tools along with the network. */
  allowsServerFeatures: boolean;
  /** The form of the parts that are wanted, where replies are kept or served. */
  parts?: PartsForm;
  /** By alias, for calls that do not limit their replies; absent: those stay without a limit. */
  outputMax?: Readonly<Record<string, OutputMax>>;
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
  /** The parts of the body, where they are wanted. */
  parts?: RequestPart[];
  removed: readonly Restriction[];
}

/** A request that leads to no call. */
export interface RefusedCall {
  refused: { reason: RefusedReason; status: number; message: string } & Partial<Restriction>;
}

/** The alias that a request selects: by its name, else by the provider's name of its model, else `main`. */
function aliasOf(requested: string | undefined, { models, main }: Pick<RawCall, 'models' | 'main'>): string {
  if (requested === undefined) return main;
  if (Object.hasOwn(models, requested)) return requested;
  if (models[main] === requested) return main;
  return Object.keys(models).find((alias) => models[alias] === requested) ?? main;
}

/** Reads a request, takes the provider's own features out and writes it for the provider. Pure. */
export function prepareCall(raw: RawCall): PreparedCall | RefusedCall {
  const wire = WIRES[raw.wire];
  const value = parsedJson(raw.body);
  if (!isRecord(value)) {
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
  const alias = aliasOf(requested, raw);
  const model = raw.models[alias] ?? alias;
  const path =
    raw.kind === 'call' ? wire.path({ model, isStream: head.isStream }) : wire.countTokensPath?.(model);
  if (path === undefined) {
    return { refused: { reason: 'route', status: 404, message: 'This API counts no tokens.' } };
  }
  const conversation = wire.conversation(body);
  const outgoing = wire.outgoing(body, model);
  const outputMax = raw.kind === 'call' && head.outputTokensMax === null ? raw.outputMax?.[alias] : undefined;
  const sent = outputMax ? wire.withOutputMax(outgoing, outputMax) : outgoing;
  // A recorded request is that of the program: the limit is none of its doing.
  const kept = raw.parts === 'exact' ? sent : outgoing;
  return {
    alias,
    head: { ...head, outputTokensMax: head.outputTokensMax ?? outputMax?.tokens ?? null },
    path,
    body: JSON.stringify(sent),
    ...(raw.parts && { parts: requestParts({ ...kept, path }, wire.key, raw.parts) }),
    conversation,
    digests: conversation.messages.map((message) =>
      createHash('sha256').update(JSON.stringify(message)).digest('base64'),
    ),
    removed,
  };
}
