import type { Json, ScriptedCall, ScriptedReply, ScriptedUsage } from './behaviour.js';
import { argumentText, finishOf, fragments, textFragments, usageIn, type Wire } from './wire.js';

const event = (type: string, rest: { [key: string]: Json }) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

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

// This format always reports usage; a reply without usage reports zeros.
const NOTHING: ScriptedUsage = { input: 0, output: 0 };

/** Anthropic's messages, as a stream. */
export const anthropicWire: Wire = {
  path: '/v1/messages',
  *content(reply, { id, model }) {
    const usage = usageIn(reply) ?? NOTHING;
    yield event('message_start', { message: { ...EMPTY_MESSAGE, id, model, usage: usageReport(usage) } });
    yield event('ping', {});
    const blocks = [
      ...(reply.reasoning === undefined ? [] : [thinking(fragments(reply.reasoning, reply))]),
      ...(reply.text === undefined ? [] : [text(textFragments(reply))]),
      ...(reply.toolCalls ?? []).map((call, index) => toolUse(call, index, reply)),
    ];
    for (const [index, { block, content, delta, last = [] }] of blocks.entries()) {
      yield event('content_block_start', { index, content_block: block });
      for (const part of content) {
        yield event('content_block_delta', { index, delta: delta(part) });
      }
      for (const closing of last) yield event('content_block_delta', { index, delta: closing });
      yield event('content_block_stop', { index });
    }
  },
  *ending(reply) {
    const { output, reasoning } = usageIn(reply) ?? NOTHING;
    yield event('message_delta', {
      delta: { stop_reason: STOP_REASONS[finishOf(reply)], stop_sequence: null },
      usage: {
        output_tokens: output,
        ...(reasoning !== undefined && { output_tokens_details: { thinking_tokens: reasoning } }),
      },
    });
    yield event('message_stop', {});
  },
  errorEvent: ({ code = 'api_error', message }) => event('error', { error: { type: code, message } }),
  errorBody: ({ code, message }, status) =>
    JSON.stringify({
      type: 'error',
      error: { type: code ?? ERROR_TYPES[status] ?? 'invalid_request_error', message },
      request_id: 'req_fake',
    }),
};

const EMPTY_MESSAGE = {
  type: 'message',
  role: 'assistant',
  content: [],
  stop_reason: null,
  stop_sequence: null,
};

/** A content block: its start, its fragments, and its closing deltas. */
interface Block {
  block: Json;
  content: Iterable<string>;
  delta: (part: string) => Json;
  last?: Json[];
}

function text(content: Iterable<string>): Block {
  return {
    block: { type: 'text', text: '' },
    content,
    delta: (part) => ({ type: 'text_delta', text: part }),
  };
}

function thinking(content: Iterable<string>): Block {
  return {
    block: { type: 'thinking', thinking: '', signature: '' },
    content,
    delta: (part) => ({ type: 'thinking_delta', thinking: part }),
    last: [{ type: 'signature_delta', signature: 'signed-by-the-fake' }],
  };
}

function toolUse(call: ScriptedCall, index: number, reply: ScriptedReply): Block {
  return {
    block: { type: 'tool_use', id: call.id ?? `toolu_${index}`, name: call.name, input: {} },
    content: fragments(argumentText(call), reply),
    delta: (part) => ({ type: 'input_json_delta', partial_json: part }),
  };
}

/** This format counts cached tokens beside the input, not within it. */
function usageReport({ input, cachedInput, cacheWrite }: ScriptedUsage): Json {
  return {
    input_tokens: input - (cachedInput ?? 0) - (cacheWrite ?? 0),
    output_tokens: 0,
    ...(cachedInput !== undefined && { cache_read_input_tokens: cachedInput }),
    ...(cacheWrite !== undefined && { cache_creation_input_tokens: cacheWrite }),
  };
}
