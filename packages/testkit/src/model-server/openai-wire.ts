import type { Answer, AnswerUsage, Json } from './behaviour.js';
import { type AnswerAbout, argumentText, finishOf, fragments, spoken, usageIn, type Wire } from './wire.js';

const data = (value: Json) => `data: ${JSON.stringify(value)}\n\n`;

/** OpenAI's chat completions, as a stream; reasoning as compatible servers send it. */
export const openaiWire: Wire = {
  path: '/v1/chat/completions',
  *content(answer, about) {
    const chunk = (delta: Json) => data(chunkOf(about, { choices: [choice(delta, null)] }));
    yield chunk({ role: 'assistant', content: '' });
    for (const text of fragments(answer.reasoning ?? '', answer)) yield chunk({ reasoning_content: text });
    for (const text of spoken(answer)) yield chunk({ content: text });
    for (const [index, call] of (answer.toolCalls ?? []).entries()) {
      const { id = `call_${index}`, name } = call;
      yield chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
      for (const text of fragments(argumentText(call), answer)) {
        yield chunk({ tool_calls: [{ index, function: { arguments: text } }] });
      }
    }
  },
  *ending(answer, about) {
    yield data(chunkOf(about, { choices: [choice({}, finishOf(answer))] }));
    const usage = usageIn(answer);
    if (usage !== null && about.wantsUsage) {
      yield data(chunkOf(about, { choices: [], usage: usageReport(usage) }));
    }
    yield 'data: [DONE]\n\n';
  },
  errorEvent: (complaint) => `data: ${openaiWire.errorBody(complaint, 200)}\n\n`,
  errorBody: ({ code = null, message }) =>
    JSON.stringify({ error: { message, type: code ?? 'error', param: null, code } }),
};

function chunkOf({ id, model }: AnswerAbout, rest: { [key: string]: Json }): Json {
  return { id, object: 'chat.completion.chunk', created: 1_767_225_600, model, ...rest };
}

function choice(delta: Json, finish: Answer['finish'] | null): Json {
  return { index: 0, delta, finish_reason: finish ?? null };
}

function usageReport({ input, output, cachedInput, cacheWrite, reasoning }: AnswerUsage): Json {
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
