import type { Payload } from '@agentclash/domain';
import { type Api, type Reply, USAGE } from './api.js';
import { chat } from './chat.js';
import { event, parts } from './frames.js';

/** OpenAI's responses. */
export const responses: Api = {
  write(reply) {
    const item = itemOf(reply);
    const response: Payload = {
      id: `resp_${reply.id}`,
      object: 'response',
      created_at: 1_767_225_600,
      model: reply.model,
      status: 'completed',
      output: [item],
      error: null,
      incomplete_details: null,
      usage: {
        input_tokens: USAGE.input,
        input_tokens_details: { cached_tokens: USAGE.cached },
        output_tokens: USAGE.output,
        output_tokens_details: { reasoning_tokens: USAGE.reasoning },
        total_tokens: USAGE.input + USAGE.output,
      },
    };
    const started = { ...response, status: 'in_progress', output: [], usage: null };
    const values: (Payload & { type: string })[] = [
      { type: 'response.created', response: started },
      { type: 'response.in_progress', response: started },
      ...itemEvents(item),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ];
    return {
      whole: response,
      frames: values.map((value, sequence_number) => event({ ...value, sequence_number })),
    };
  },
  error: (error) => chat.error(error),
};

type Item = { id: string; status: 'completed' } & (
  | {
      type: 'message';
      role: 'assistant';
      content: { type: 'output_text'; text: string; annotations: never[] }[];
    }
  | { type: 'function_call'; call_id: string; name: string; namespace?: string; arguments: string }
  | { type: 'custom_tool_call'; call_id: string; name: string; namespace?: string; input: string }
);

function itemOf({ id, text, call }: Reply): Item {
  if (call === undefined) {
    const content = [{ type: 'output_text' as const, text, annotations: [] }];
    return { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content };
  }
  const { name, namespace } = call.tool;
  const named = { call_id: `call_${id}`, name, ...(namespace !== undefined && { namespace }) };
  return 'input' in call
    ? { type: 'custom_tool_call', id: `ctc_${id}`, status: 'completed', ...named, input: call.input }
    : {
        type: 'function_call',
        id: `fc_${id}`,
        status: 'completed',
        ...named,
        arguments: JSON.stringify(call.arguments),
      };
}

function itemEvents(item: Item): (Payload & { type: string })[] {
  const at = { item_id: item.id, output_index: 0 };
  const added = (rest: Payload) => ({
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...item, status: 'in_progress', ...rest },
  });
  switch (item.type) {
    case 'message': {
      const text = item.content.map((part) => part.text).join('');
      const within = { ...at, content_index: 0 };
      const part = { type: 'output_text', text: '', annotations: [] };
      return [
        added({ content: [] }),
        { type: 'response.content_part.added', ...within, part },
        ...parts(text).map((delta) => ({ type: 'response.output_text.delta', ...within, delta })),
        { type: 'response.output_text.done', ...within, text },
      ];
    }
    case 'function_call':
      return [
        added({ arguments: '' }),
        ...parts(item.arguments).map((delta) => ({
          type: 'response.function_call_arguments.delta',
          ...at,
          delta,
        })),
        { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments },
      ];
    case 'custom_tool_call':
      return [
        added({ input: '' }),
        ...parts(item.input).map((delta) => ({
          type: 'response.custom_tool_call_input.delta',
          ...at,
          delta,
        })),
        { type: 'response.custom_tool_call_input.done', ...at, input: item.input },
      ];
  }
}
