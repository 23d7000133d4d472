import type { Payload } from '@agentclash/domain';
import { type Api, USAGE } from './api.js';
import { data, parts } from './frames.js';

const CREATED = 1_767_225_600;

/** OpenAI's chat completions. */
export const chat: Api = {
  write({ id, model, text, call }) {
    const usage = {
      prompt_tokens: USAGE.input,
      completion_tokens: USAGE.output,
      total_tokens: USAGE.input + USAGE.output,
      prompt_tokens_details: { cached_tokens: USAGE.cached },
      completion_tokens_details: { reasoning_tokens: USAGE.reasoning },
    };
    const finish_reason = call ? 'tool_calls' : 'stop';
    const chunk = (rest: Payload) =>
      data({ id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: CREATED, model, ...rest });
    const choice = (delta: Payload, finish: string | null = null) =>
      chunk({ choices: [{ index: 0, delta, finish_reason: finish }] });
    const args =
      call === undefined ? '' : JSON.stringify('input' in call ? { input: call.input } : call.arguments);
    const toolCall = call && {
      id: `call_${id}`,
      type: 'function',
      function: { name: call.tool.name, arguments: args },
    };
    const [first = '', ...rest] = parts(args);
    const content = toolCall
      ? [
          choice({
            tool_calls: [{ ...toolCall, index: 0, function: { ...toolCall.function, arguments: first } }],
          }),
          ...rest.map((part) => choice({ tool_calls: [{ index: 0, function: { arguments: part } }] })),
        ]
      : parts(text).map((part) => choice({ content: part }));
    const message = toolCall
      ? { role: 'assistant', content: null, tool_calls: [toolCall] }
      : { role: 'assistant', content: text };
    return {
      whole: {
        id: `chatcmpl-${id}`,
        object: 'chat.completion',
        created: CREATED,
        model,
        choices: [{ index: 0, message, finish_reason }],
        usage,
      },
      frames: [
        choice({ role: 'assistant', content: '' }),
        ...content,
        choice({}, finish_reason),
        chunk({ choices: [], usage }),
        'data: [DONE]\n\n',
      ],
    };
  },
  error: ({ status, message }) => ({ error: { message, type: 'error', param: null, code: String(status) } }),
};
