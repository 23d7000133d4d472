import type { JsonObject } from '@agentclash/domain';
import {
  type Api,
  argumentsOf,
  type Call,
  type FragmentedText,
  type Reply,
  type ScriptedUsage,
} from './api.js';
import { event } from './frames.js';

const STOP_REASONS = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
} as const;

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

// This API always reports usage; a reply without usage reports zeros.
const NO_TOKENS: ScriptedUsage = { input: 0, output: 0 };

/** Anthropic's messages. */
export const anthropic: Api = {
  *content(reply) {
    const usage = usageReport(reply.usage ?? NO_TOKENS);
    const message = { ...headOf(reply), content: [], stop_reason: null, stop_sequence: null, usage };
    yield event({ type: 'message_start', message });
    yield event({ type: 'ping' });
    for (const [index, block] of blocksOf(reply).entries()) {
      yield event({ type: 'content_block_start', index, content_block: block.start });
      for (const text of block.text) {
        yield event({ type: 'content_block_delta', index, delta: block.delta(text) });
      }
      if (block.last) yield event({ type: 'content_block_delta', index, delta: block.last });
      yield event({ type: 'content_block_stop', index });
    }
  },
  *ending(reply) {
    const { output, reasoning } = reply.usage ?? NO_TOKENS;
    const usage = {
      output_tokens: output,
      ...(reasoning !== undefined && { output_tokens_details: { thinking_tokens: reasoning } }),
    };
    yield event({ type: 'message_delta', delta: stopOf(reply), usage });
    yield event({ type: 'message_stop' });
  },
  whole(reply) {
    const usage = reply.usage ?? NO_TOKENS;
    return {
      ...headOf(reply),
      content: blocksOf(reply).map(({ whole }) => whole),
      ...stopOf(reply),
      usage: { ...usageReport(usage), output_tokens: usage.output },
    };
  },
  errorEvent: ({ code = 'api_error', message }) => event({ type: 'error', error: { type: code, message } }),
  error: ({ code, message }, status) => ({
    type: 'error',
    error: { type: code ?? ERROR_TYPES[status] ?? 'invalid_request_error', message },
    request_id: 'req_scripted',
  }),
};

function headOf({ id, responseId = `msg_${id}`, model }: Reply): JsonObject {
  return { id: responseId, type: 'message', role: 'assistant', model };
}

function stopOf({ finish }: Reply): JsonObject {
  return { stop_reason: STOP_REASONS[finish], stop_sequence: null };
}

/** A content block: its start, its fragments, and its closing delta. */
interface Block {
  whole: JsonObject;
  start: JsonObject;
  text: FragmentedText;
  delta: (part: string) => JsonObject;
  last?: JsonObject;
}

function blocksOf({ reasoning, text, calls }: Reply): Block[] {
  return [
    ...(reasoning.whole === '' ? [] : [thinkingBlock(reasoning)]),
    ...(text.whole === '' && calls.length > 0 ? [] : [textBlock(text)]),
    ...calls.map(toolBlock),
  ];
}

function textBlock(text: FragmentedText): Block {
  return {
    whole: { type: 'text', text: text.whole },
    start: { type: 'text', text: '' },
    text,
    delta: (part) => ({ type: 'text_delta', text: part }),
  };
}

function thinkingBlock(text: FragmentedText): Block {
  const signature = 'signed-by-the-script';
  return {
    whole: { type: 'thinking', thinking: text.whole, signature },
    start: { type: 'thinking', thinking: '', signature: '' },
    text,
    delta: (part) => ({ type: 'thinking_delta', thinking: part }),
    last: { type: 'signature_delta', signature },
  };
}

function toolBlock(call: Call): Block {
  const { id, name } = call;
  const start = { type: 'tool_use', id, name, input: {} };
  return {
    whole: { ...start, input: argumentsOf(call) },
    start,
    text: call.arguments,
    delta: (part) => ({ type: 'input_json_delta', partial_json: part }),
  };
}

/** This API counts cached tokens beside the input, not within it. */
function usageReport({ input, cachedInput, cacheWrite }: ScriptedUsage): JsonObject {
  return {
    input_tokens: input - (cachedInput ?? 0) - (cacheWrite ?? 0),
    output_tokens: 0,
    ...(cachedInput !== undefined && { cache_read_input_tokens: cachedInput }),
    ...(cacheWrite !== undefined && { cache_creation_input_tokens: cacheWrite }),
  };
}
