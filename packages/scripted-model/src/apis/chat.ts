import type { JsonObject, JsonValue } from '@agentclash/domain';
import type { Api, Call, Reply, ScriptedUsage } from './api.js';
import { data } from './frames.js';

const CREATED = 1_767_225_600;

/** OpenAI's chat completions; reasoning as compatible servers send it. */
export const chat: Api = {
  *content(reply) {
    const delta = (value: JsonObject) => chunk(reply, { choices: [choice({ delta: value }, null)] });
    yield delta({ role: 'assistant', content: '' });
    for (const text of reply.reasoning) yield delta({ reasoning_content: text });
    for (const text of reply.text) yield delta({ content: text });
    for (const [index, call] of reply.calls.entries()) {
      yield delta({ tool_calls: [{ index, ...toolCall(call, '') }] });
      for (const text of call.arguments)
        yield delta({ tool_calls: [{ index, function: { arguments: text } }] });
    }
  },
  *ending(reply) {
    yield chunk(reply, { choices: [choice({ delta: {} }, reply.finish)] });
    if (reply.usage !== null && reply.wantsUsage) {
      yield chunk(reply, { choices: [], usage: usageReport(reply.usage) });
    }
    yield 'data: [DONE]\n\n';
  },
  whole(reply) {
    const { reasoning, text, calls, usage, finish } = reply;
    const message = {
      role: 'assistant',
      content: text.whole === '' && calls.length > 0 ? null : text.whole,
      ...(reasoning.whole !== '' && { reasoning_content: reasoning.whole }),
      ...(calls.length > 0 && { tool_calls: calls.map((call) => toolCall(call, call.arguments.whole)) }),
    };
    return {
      ...headOf(reply),
      object: 'chat.completion',
      choices: [choice({ message }, finish)],
      ...(usage !== null && { usage: usageReport(usage) }),
    };
  },
  errorEvent: (error) => data(chat.error(error, 200)),
  error: ({ code = null, message }: { code?: string | null; message: string }) => ({
    error: { message, type: code ?? 'error', param: null, code },
  }),
};

function headOf({ id, responseId = `chatcmpl-${id}`, model }: Reply): JsonObject {
  return { id: responseId, created: CREATED, model };
}

function chunk(reply: Reply, rest: JsonObject): string {
  return data({ ...headOf(reply), object: 'chat.completion.chunk', ...rest });
}

function choice(content: JsonObject, finish: Reply['finish'] | null): JsonObject {
  return { index: 0, ...content, finish_reason: finish };
}

function toolCall({ id, name }: Call, args: string): JsonObject {
  return { id, type: 'function', function: { name, arguments: args } };
}

function usageReport({ input, output, cachedInput, cacheWrite, reasoning }: ScriptedUsage): JsonValue {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...((cachedInput ?? cacheWrite) !== undefined && {
      prompt_tokens_details: {
        ...(cachedInput !== undefined && { cached_tokens: cachedInput }),
        ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
      },
    }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}
