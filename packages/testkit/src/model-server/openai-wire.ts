import type { Json, ScriptedReply, ScriptedUsage } from './behaviour.js';
import {
  argumentText,
  finishOf,
  fragments,
  type ReplyContext,
  textFragments,
  usageIn,
  type Wire,
} from './wire.js';

const data = (value: Json) => `data: ${JSON.stringify(value)}\n\n`;

/** OpenAI's chat completions, as a stream; reasoning as compatible servers send it. */
export const openaiWire: Wire = {
  path: '/v1/chat/completions',
  *content(reply, about) {
    const chunk = (delta: Json) => data(chunkOf(about, { choices: [choice(delta, null)] }));
    yield chunk({ role: 'assistant', content: '' });
    for (const text of fragments(reply.reasoning ?? '', reply)) yield chunk({ reasoning_content: text });
    for (const text of textFragments(reply)) yield chunk({ content: text });
    for (const [index, call] of (reply.toolCalls ?? []).entries()) {
      const { id = `call_${index}`, name } = call;
      yield chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
      for (const text of fragments(argumentText(call), reply)) {
        yield chunk({ tool_calls: [{ index, function: { arguments: text } }] });
      }
    }
  },
  *ending(reply, about) {
    yield data(chunkOf(about, { choices: [choice({}, finishOf(reply))] }));
    const usage = usageIn(reply);
    if (usage !== null && about.wantsUsage) {
      yield data(chunkOf(about, { choices: [], usage: usageReport(usage) }));
    }
    yield 'data: [DONE]\n\n';
  },
  errorEvent: (error) => `data: ${openaiWire.errorBody(error, 200)}\n\n`,
  errorBody: ({ code = null, message }) =>
    JSON.stringify({ error: { message, type: code ?? 'error', param: null, code } }),
};

function chunkOf({ id, model }: ReplyContext, rest: { [key: string]: Json }): Json {
  return { id, object: 'chat.completion.chunk', created: 1_767_225_600, model, ...rest };
}

function choice(delta: Json, finish: ScriptedReply['finish'] | null): Json {
  return { index: 0, delta, finish_reason: finish ?? null };
}

function usageReport({ input, output, cachedInput, cacheWrite, reasoning }: ScriptedUsage): Json {
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
