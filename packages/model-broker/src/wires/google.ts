import type { FinishReason, Usage } from '@agentclash/domain';
import {
  isRecord,
  type JsonValue,
  listOf,
  numberIn,
  type Payload,
  recordIn,
  recordOf,
  recordsIn,
  textIn,
} from '@agentclash/domain';
import { BodyRestriction, eachPart, omit, withTools } from './restriction.js';
import { count, ReplyState, sum } from './texts.js';
import type { Conversation, ReplyReader, Wire, WireMessage, WireReply, WireToolCall } from './wire.js';

/** Members of a tool that the client executes; the API takes either spelling of every name. */
const CLIENT_MEMBERS = new Set(['functionDeclarations', 'function_declarations']);
const REFUSED_FIELDS = ['cachedContent', 'cached_content'];
const SERVER_TOOL_CONFIG = ['retrievalConfig', 'retrieval_config'];

/** Gemini (`POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`). */
export const google: Wire = {
  key: 'google',
  head: (body, { model, isStream }) => {
    const config = either(body, 'generationConfig', 'generation_config');
    return {
      model,
      isStream: isStream ?? false,
      outputTokensMax: numberIn(config, 'maxOutputTokens') ?? numberIn(config, 'max_output_tokens') ?? null,
      replies: Math.max(1, numberIn(config, 'candidateCount') ?? numberIn(config, 'candidate_count') ?? 1),
    };
  },
  restrict(body) {
    const restriction = new BodyRestriction();
    restriction.refuseFields(body, REFUSED_FIELDS);
    const system = either(body, 'systemInstruction', 'system_instruction');
    restrictParts(system.parts, 'systemInstruction.parts', restriction);
    for (const [index, content] of listOf(body.contents).entries()) {
      if (isRecord(content)) restrictParts(content.parts, `contents[${index}].parts`, restriction);
    }
    const tools = clientTools(body.tools, restriction);
    const rest = withTools(body, tools);
    return restriction.end(
      tools.length > 0 ? withoutRetrieval(rest) : omit(rest, ['toolConfig', 'tool_config']),
    );
  },
  outgoing: (body) => body,
  withOutputMax: (body, { tokens }) => ({
    ...omit(body, ['generation_config']),
    generationConfig: { ...either(body, 'generationConfig', 'generation_config'), maxOutputTokens: tokens },
  }),
  smallestCall: { contents: [{ role: 'user', parts: [{ text: 'Reply with OK.' }] }] },
  path: ({ model, isStream }) =>
    `/models/${encodeURIComponent(model)}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  countTokensPath: (model) => `/models/${encodeURIComponent(model)}:countTokens`,
  credential: (key) => ({ 'x-goog-api-key': key }),
  conversation,
  reader: () => new ChunkReader(),
  whole(response) {
    const reader = new ChunkReader();
    reader.take(response);
    return { ...reader.reply(), isComplete: true };
  },
  error: ({ status, message }) => ({
    status,
    headers: {},
    body: { error: { code: status, message, status: GRPC_STATUS[status] ?? 'UNKNOWN' } },
  }),
};

const GRPC_STATUS: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

function either(body: Payload, camel: string, snake: string): Payload {
  return recordIn(body, camel) ?? recordIn(body, snake) ?? {};
}

/** One tool holds function declarations and, beside them, server tools by name. */
function clientTools(tools: unknown, restriction: BodyRestriction): Payload[] {
  // The API takes a single tool in place of a list.
  const list = isRecord(tools) ? [tools] : listOf(tools);
  return list.flatMap((tool, index) => {
    if (!isRecord(tool)) {
      restriction.remove(`tools[${index}]`, 'tool that is no object');
      return [];
    }
    const removed = Object.keys(tool).filter((name) => !CLIENT_MEMBERS.has(name));
    for (const name of removed) restriction.remove(`tools[${index}].${name}`, `server tool ${name}`);
    const kept = omit(tool, removed);
    return Object.keys(kept).length > 0 ? [kept] : [];
  });
}

function restrictParts(parts: unknown, path: string, restriction: BodyRestriction): void {
  const list = isRecord(parts) ? [parts] : parts;
  eachPart(list, path, (part, at) => {
    for (const name of ['fileData', 'file_data']) {
      if (isRecord(part[name])) restriction.refuse(`${at}.${name}`, 'content that is not inline');
    }
    const response = either(part, 'functionResponse', 'function_response');
    restrictParts(response.parts, `${at}.functionResponse.parts`, restriction);
  });
}

function withoutRetrieval(body: Payload): Payload {
  const shortened = ['toolConfig', 'tool_config'].flatMap((name) => {
    const config = recordIn(body, name);
    return config ? [[name, omit(config, SERVER_TOOL_CONFIG)] as const] : [];
  });
  return { ...body, ...Object.fromEntries(shortened) };
}

function conversation(body: Payload): Conversation {
  const system = textOfParts(either(body, 'systemInstruction', 'system_instruction').parts);
  const declarations = recordsIn(body, 'tools').flatMap((tool) => [
    ...recordsIn(tool, 'functionDeclarations'),
    ...recordsIn(tool, 'function_declarations'),
  ]);
  return {
    messages: [
      ...(system === '' ? [] : [{ role: 'system', text: system } as const]),
      ...recordsIn(body, 'contents').flatMap(messagesOf),
    ],
    tools: declarations.map((declaration) => textIn(declaration, 'name') ?? ''),
  };
}

function messagesOf(content: Payload): WireMessage[] {
  const parts = recordsIn(content, 'parts');
  const text = textOfParts(parts);
  if (content.role === 'model') return [{ role: 'assistant', text, tool_calls: callsOf(parts) }];
  const results = parts.flatMap((part): WireMessage[] => {
    const response = recordIn(part, 'functionResponse') ?? recordIn(part, 'function_response');
    if (!response) return [];
    const tool_call_id = textIn(response, 'id') ?? textIn(response, 'name') ?? '';
    return [{ role: 'tool', tool_call_id, result: JSON.stringify(response.response ?? {}) }];
  });
  return [...results, ...(text === '' ? [] : [{ role: 'user', text } as const])];
}

/** The text of parts without thoughts; inline data is named by its type. */
function textOfParts(parts: unknown): string {
  return listOf(parts)
    .filter(isRecord)
    .filter(({ thought }) => thought !== true)
    .flatMap((part) => {
      const data = either(part, 'inlineData', 'inline_data');
      const type = textIn(data, 'mimeType') ?? textIn(data, 'mime_type');
      return textIn(part, 'text') ?? (type === undefined ? [] : `[${type}]`);
    })
    .join('');
}

function callsOf(parts: readonly Payload[]): WireToolCall[] {
  return parts.flatMap((part) => {
    const call = recordIn(part, 'functionCall') ?? recordIn(part, 'function_call');
    if (!call) return [];
    const name = textIn(call, 'name') ?? '';
    return [{ id: textIn(call, 'id') ?? name, name, arguments: (call.args ?? {}) as JsonValue }];
  });
}

class ChunkReader implements ReplyReader {
  readonly #reply = new ReplyState();

  take(chunk: Payload): void {
    const reply = this.#reply;
    reply.responseId ??= textIn(chunk, 'responseId') ?? null;
    reply.responseModel ??= textIn(chunk, 'modelVersion') ?? null;
    if (isRecord(chunk.usageMetadata)) reply.usage = usageOf(chunk.usageMetadata);
    const error = recordIn(chunk, 'error');
    if (error) {
      reply.error = { type: textIn(error, 'status') ?? 'error', message: textIn(error, 'message') ?? '' };
    }
    const blocked = textIn(recordOf(chunk.promptFeedback), 'blockReason');
    const [candidate] = recordsIn(chunk, 'candidates');
    const parts = recordsIn(recordOf(candidate?.content), 'parts');
    reply.text += textOfParts(parts);
    reply.toolCalls.push(...callsOf(parts));
    const finish = candidate && textIn(candidate, 'finishReason');
    if (finish !== undefined) reply.finishReason = finishOf(finish, reply.toolCalls.length > 0);
    if (blocked !== undefined) reply.finishReason = 'content_filter';
    reply.isComplete ||= finish !== undefined || blocked !== undefined;
  }

  reply(): WireReply {
    return this.#reply;
  }
}

const FINISH: Record<string, FinishReason> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
};

function finishOf(reason: string, hasCalls: boolean): FinishReason {
  const finish = FINISH[reason] ?? 'other';
  return finish === 'stop' && hasCalls ? 'tool_calls' : finish;
}

/** Output includes thoughts, as for every provider. */
function usageOf(usage: Payload): Usage {
  const thoughts = count(usage.thoughtsTokenCount);
  return {
    input: count(usage.promptTokenCount),
    output: sum(count(usage.candidatesTokenCount), thoughts),
    total: count(usage.totalTokenCount),
    cached_input: count(usage.cachedContentTokenCount),
    cache_write: null,
    reasoning: thoughts,
  };
}
