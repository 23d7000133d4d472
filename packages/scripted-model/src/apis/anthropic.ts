import type { Payload } from '@agentclash/domain';
import { type Api, type Reply, USAGE } from './api.js';
import { event, parts } from './frames.js';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

/** Anthropic's messages. */
export const anthropic: Api = {
  write(reply) {
    const stop = { stop_reason: reply.call ? 'tool_use' : 'end_turn', stop_sequence: null };
    const usage = {
      input_tokens: USAGE.input - USAGE.cached,
      cache_read_input_tokens: USAGE.cached,
      cache_creation_input_tokens: 0,
      output_tokens: USAGE.output,
    };
    const { id, model } = reply;
    const block = blockOf(reply);
    const head = { id: `msg_${id}`, type: 'message', role: 'assistant', model };
    const empty = { ...head, content: [], stop_reason: null, stop_sequence: null };
    return {
      whole: { ...head, content: [block], ...stop, usage },
      frames: [
        event({ type: 'message_start', message: { ...empty, usage: { ...usage, output_tokens: 1 } } }),
        event({ type: 'ping' }),
        ...blockFrames(block),
        event({ type: 'message_delta', delta: stop, usage: { output_tokens: USAGE.output } }),
        event({ type: 'message_stop' }),
      ],
    };
  },
  error: ({ status, message }) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'invalid_request_error', message },
  }),
};

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: Payload };

function blockOf({ id, text, call }: Reply): Block {
  if (call === undefined) return { type: 'text', text };
  const input = 'input' in call ? { input: call.input } : call.arguments;
  return { type: 'tool_use', id: `toolu_${id}`, name: call.tool.name, input };
}

function blockFrames(block: Block): string[] {
  const isText = block.type === 'text';
  const start = isText ? { type: 'text', text: '' } : { ...block, input: {} };
  const deltas = isText
    ? parts(block.text).map((text) => ({ type: 'text_delta', text }))
    : parts(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  return [
    event({ type: 'content_block_start', index: 0, content_block: start }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index: 0, delta })),
    event({ type: 'content_block_stop', index: 0 }),
  ];
}
