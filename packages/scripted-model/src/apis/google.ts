import type { JsonObject } from '@agentclash/domain';
import { type Api, argumentsOf, type Reply, type ScriptedUsage } from './api.js';
import { data } from './frames.js';

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

const FINISH_REASONS = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
} as const;

/** Gemini. */
export const google: Api = {
  *content(reply) {
    for (const text of reply.text) yield data(chunkOf(reply, [{ text }]));
    for (const part of callParts(reply)) yield data(chunkOf(reply, [part]));
  },
  *ending(reply) {
    yield data(ended(reply, []));
  },
  whole(reply) {
    const texts = reply.text.whole === '' ? [] : [{ text: reply.text.whole }];
    return ended(reply, [...texts, ...callParts(reply)]);
  },
  errorEvent: (error) => data(google.error(error, 500)),
  error: ({ message, code }, status) => ({
    error: { code: status, message, status: code ?? STATUSES[status] ?? 'UNKNOWN' },
  }),
};

function callParts({ calls }: Reply): JsonObject[] {
  return calls.map((call) => ({
    functionCall: { id: call.id, name: call.name, args: argumentsOf(call) },
  }));
}

function chunkOf(
  { id, responseId = `r_${id}`, model }: Reply,
  parts: JsonObject[],
  rest: JsonObject = {},
): JsonObject {
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }],
    modelVersion: model,
    responseId,
  };
}

function ended(reply: Reply, parts: JsonObject[]): JsonObject {
  const end = { finishReason: FINISH_REASONS[reply.finish] };
  return {
    ...chunkOf(reply, parts, end),
    ...(reply.usage && { usageMetadata: usageReport(reply.usage) }),
  };
}

/** This API counts reasoning beside the output. */
function usageReport({ input, output, cachedInput = 0, reasoning = 0 }: ScriptedUsage): JsonObject {
  return {
    promptTokenCount: input,
    cachedContentTokenCount: cachedInput,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + output,
  };
}
