import type { JsonObject } from '@agentclash/domain';
import type { Api, Call, FragmentedText, Reply, ScriptedUsage } from './api.js';
import { chat } from './chat.js';
import { event } from './frames.js';

/** OpenAI's responses. */
export const responses: Api = {
  *content(reply) {
    const response = { ...whole(reply), status: 'in_progress', output: [], usage: null };
    let sequence_number = 0;
    const numbered = (value: JsonObject & { type: string }) =>
      event({ ...value, sequence_number: sequence_number++ });
    yield numbered({ type: 'response.created', response });
    yield numbered({ type: 'response.in_progress', response });
    for (const [output_index, item] of itemsOf(reply).entries()) {
      const at = { item_id: item.id, output_index };
      yield numbered({ type: 'response.output_item.added', output_index, item: item.started });
      if (item.isMessage) {
        const part = { type: 'output_text', text: '', annotations: [] };
        yield numbered({ type: 'response.content_part.added', ...at, content_index: 0, part });
      }
      const within = item.isMessage ? { ...at, content_index: 0 } : at;
      for (const delta of item.text) yield numbered({ type: `${item.event}.delta`, ...within, delta });
      yield numbered({ type: `${item.event}.done`, ...within, [item.member]: item.text.whole });
      yield numbered({ type: 'response.output_item.done', output_index, item: item.whole });
    }
  },
  *ending(reply) {
    yield event({ type: 'response.completed', response: whole(reply), sequence_number: END_NUMBER });
  },
  whole,
  errorEvent: ({ code = 'server_error', message }) => event({ type: 'error', code, message, param: null }),
  error: (error, status) => chat.error(error, status),
};

/** After those of any content. */
const END_NUMBER = 1_000_000;

function whole(reply: Reply): JsonObject {
  const isCut = reply.finish === 'length' || reply.finish === 'content_filter';
  const reason = reply.finish === 'length' ? 'max_output_tokens' : reply.finish;
  return {
    id: reply.responseId ?? `resp_${reply.id}`,
    object: 'response',
    created_at: 1_767_225_600,
    model: reply.model,
    status: isCut ? 'incomplete' : 'completed',
    output: itemsOf(reply).map((item) => item.whole),
    error: null,
    incomplete_details: isCut ? { reason } : null,
    usage: reply.usage && usageReport(reply.usage),
  };
}

function usageReport({ input, output, cachedInput = 0, reasoning = 0 }: ScriptedUsage): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

interface Item {
  id: string;
  isMessage: boolean;
  /** The name of its events, without their last part, and of the member with its text. */
  event: string;
  member: string;
  text: FragmentedText;
  started: JsonObject;
  whole: JsonObject;
}

function itemsOf({ id, text, calls }: Reply): Item[] {
  return [
    ...(text.whole === '' && calls.length > 0 ? [] : [messageItem(`msg_${id}`, text)]),
    ...calls.map(callItem),
  ];
}

function messageItem(id: string, text: FragmentedText): Item {
  const item = { type: 'message', id, role: 'assistant' };
  const content = [{ type: 'output_text', text: text.whole, annotations: [] }];
  return {
    id,
    isMessage: true,
    event: 'response.output_text',
    member: 'text',
    text,
    started: { ...item, status: 'in_progress', content: [] },
    whole: { ...item, status: 'completed', content },
  };
}

function callItem({ id: call_id, name, namespace, isCustom = false, arguments: text }: Call): Item {
  const member = isCustom ? 'input' : 'arguments';
  const id = `${isCustom ? 'ctc' : 'fc'}_${call_id}`;
  const type = isCustom ? 'custom_tool_call' : 'function_call';
  const item = { type, id, call_id, name, ...(namespace !== undefined && { namespace }) };
  return {
    id,
    isMessage: false,
    event: isCustom ? 'response.custom_tool_call_input' : 'response.function_call_arguments',
    member,
    text,
    started: { ...item, status: 'in_progress', [member]: '' },
    whole: { ...item, status: 'completed', [member]: text.whole },
  };
}
