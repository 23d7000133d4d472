import { createHash } from 'node:crypto';
import { isRecord, type Payload, type WireKey } from '@agentclash/domain';
import type { RequestPart } from '@agentclash/models';
import { neutralText, withoutOutputMarks } from './volatile-text.js';

/** `native`: a request of our own loop. */
export type RequestKind = WireKey | 'native';

/** Members of a body that name the session or the user of a client. */
const SESSION_FIELDS: Record<RequestKind, ReadonlySet<string>> = {
  native: new Set(),
  anthropic: new Set(['metadata']),
  chat: new Set(['metadata', 'prompt_cache_key', 'safety_identifier', 'user']),
  responses: new Set(['client_metadata', 'metadata', 'prompt_cache_key', 'safety_identifier', 'user']),
  google: new Set(['labels']),
};

/** Gemini has no ids of calls: clients make their own. */
const OWN_CALL_IDS = new Set(['functionCall', 'function_call', 'functionResponse', 'function_response']);

/** Numbers that are measured. */
const MEASURED = new Set(['duration_ms', 'elapsed_ms', 'latency_ms', 'starved_ms']);

/** Lists that grow at their end come last, so that the parts of a conversation continue those of the request before. */
const CONVERSATIONS = new Set(['messages', 'input', 'contents']);

/** `neutral`: without times, durations and ids in texts. `exact`: without the ids of sessions, calls and outputs alone. */
export type PartsForm = 'neutral' | 'exact';

/**
 * The parts of a request body by which requests of two attempts are compared: the elements of its lists and its other
 * members. Pure.
 */
export function requestParts(body: Payload, kind: RequestKind, form: PartsForm = 'neutral'): RequestPart[] {
  const fields = Object.keys(body).filter((field) => !SESSION_FIELDS[kind].has(field));
  const [growing, fixed] = [true, false].map((grows) =>
    fields.filter((field) => CONVERSATIONS.has(field) === grows).sort(),
  );
  return [...(fixed ?? []), ...(growing ?? [])].flatMap((field) => {
    const value = body[field];
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [partOf(field, value, { kind, form })];
    return value.map((element, index) => partOf(`${field}[${index}]`, element, { kind, form }));
  });
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

interface Normalization {
  kind: RequestKind;
  form: PartsForm;
}

function partOf(path: string, value: unknown, as: Normalization): RequestPart {
  const text = JSON.stringify(normalized(as.kind === 'responses' ? withoutItemId(value) : value, as));
  return { path, text, digest: digestOf(text) };
}

/** Clients of the Responses API give the items of a conversation new ids in each session; calls keep their `call_id`. */
function withoutItemId(item: unknown): unknown {
  if (!isRecord(item) || item.type === 'item_reference') return item;
  const { id: _, ...rest } = item;
  return rest;
}

/** A copy with sorted members. */
function normalized(value: unknown, as: Normalization): unknown {
  if (typeof value === 'string') {
    const text = withoutOutputMarks(value);
    return as.form === 'neutral' ? neutralText(text) : text;
  }
  if (Array.isArray(value)) return value.map((element) => normalized(element, as));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, normalizedMember(name, value[name], as)]),
  );
}

function normalizedMember(name: string, value: unknown, as: Normalization): unknown {
  if (typeof value === 'number' && as.form === 'neutral' && MEASURED.has(name)) return '[duration]';
  if (as.kind === 'google' && OWN_CALL_IDS.has(name) && isRecord(value)) {
    const { id: _, ...call } = value;
    return normalized(call, as);
  }
  return normalized(value, as);
}
