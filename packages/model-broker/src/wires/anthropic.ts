import type { FinishReason, Usage } from '@agentclash/domain';
import {
  isRecord,
  type JsonValue,
  listOf,
  numberIn,
  type Payload,
  recordIn,
  recordOf,
  recordsIn,
  textIn,
  textOf,
} from '@agentclash/domain';
import { BodyRestriction, eachPart, omit, withTools } from './restriction.js';
import { contentText, count, parsedArguments, ReplyState, sum } from './texts.js';
import type { Conversation, ReplyReader, Wire, WireMessage, WireReply } from './wire.js';

/** Tools that the client executes although Anthropic gives them a type. */
const CLIENT_TOOL = /^(?:custom|(?:bash|text_editor|computer|memory)_\d{8})$/;
const SERVER_FIELDS = ['mcp_servers', 'container'];
const REMOTE_SOURCES = new Set(['url', 'file']);

/** Anthropic Messages (`POST /v1/messages`). */
export const anthropic: Wire = {
  key: 'anthropic',
  head: (body) => ({
    model: textIn(body, 'model'),
    isStream: body.stream === true,
    outputTokensMax: numberIn(body, 'max_tokens') ?? null,
    replies: 1,
  }),
  restrict(body) {
    const restriction = new BodyRestriction();
    const rest = restriction.without(body, SERVER_FIELDS);
    const tools = restriction.clientTools(body.tools, 'tools', ({ type }) =>
      type === undefined || type === null || CLIENT_TOOL.test(textOf(type))
        ? undefined
        : `server tool ${textOf(type)}`,
    );
    restrictContent(body.system, 'system', restriction);
    for (const [index, message] of listOf(body.messages).entries()) {
      if (isRecord(message)) restrictContent(message.content, `messages[${index}].content`, restriction);
    }
    return restriction.end(withPossibleChoice(withTools(rest, tools)));
  },
  outgoing: (body, model) => ({ ...body, model }),
  withOutputMax: (body, { tokens }) => ({ ...body, max_tokens: tokens }),
  smallestCall: { max_tokens: 16, messages: [{ role: 'user', content: 'Reply with OK.' }] },
  requiredHeaders: { 'anthropic-version': '2023-06-01' },
  path: () => '/messages',
  countTokensPath: () => '/messages/count_tokens',
  credential: (key) => ({ 'x-api-key': key }),
  conversation,
  reader: () => new MessageReader(),
  whole,
  error: ({ status, type, message }) => ({
    status,
    headers: {},
    body: { type: 'error', error: { type, message } },
  }),
};

function restrictContent(content: unknown, path: string, restriction: BodyRestriction): void {
  eachPart(content, path, (block, at) => {
    const source = recordIn(block, 'source');
    const type = source && textIn(source, 'type');
    if (type !== undefined && REMOTE_SOURCES.has(type))
      restriction.refuse(`${at}.source`, `source by ${type}`);
    if (block.type === 'container_upload') restriction.refuse(at, 'container_upload');
    restrictContent(source?.content, `${at}.source.content`, restriction);
    restrictContent(block.content, `${at}.content`, restriction);
  });
}

/** The body without a `tool_choice` that names a removed tool. */
function withPossibleChoice(body: Payload): Payload {
  const name = textIn(recordOf(body.tool_choice), 'name');
  const isPossible = name === undefined || recordsIn(body, 'tools').some((tool) => tool.name === name);
  return isPossible ? body : omit(body, ['tool_choice']);
}

function conversation(body: Payload): Conversation {
  const system = contentText(body.system);
  const messages = recordsIn(body, 'messages').flatMap(messagesOf);
  return {
    messages: [...(system === '' ? [] : [{ role: 'system', text: system } as const]), ...messages],
    tools: recordsIn(body, 'tools').map((tool) => textIn(tool, 'name') ?? ''),
  };
}

/** One message of the wire: results of tools become messages of their own. */
function messagesOf(message: Payload): WireMessage[] {
  const blocks = listOf(message.content).filter(isRecord);
  const isResult = (block: Payload) => block.type === 'tool_result';
  const results = blocks.filter(isResult).map(
    (block): WireMessage => ({
      role: 'tool',
      tool_call_id: textIn(block, 'tool_use_id') ?? '',
      result: contentText(block.content),
    }),
  );
  const isCall = (block: Payload) => block.type === 'tool_use';
  const rest = blocks.filter((block) => !isResult(block) && !isCall(block) && !isThinking(block));
  const text = typeof message.content === 'string' ? message.content : contentText(rest);
  if (message.role === 'assistant') {
    return [{ role: 'assistant', text, tool_calls: blocks.filter(isCall).map(callOf) }];
  }
  return [...results, ...(text === '' ? [] : [{ role: 'user', text } as const])];
}

function isThinking({ type }: Payload): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function callOf(block: Payload) {
  const input = (block.input ?? {}) as JsonValue;
  return { id: textIn(block, 'id') ?? '', name: textIn(block, 'name') ?? '', arguments: input };
}

function whole(message: Payload): WireReply {
  const reply = new ReplyState();
  const blocks = recordsIn(message, 'content');
  reply.text = blocks.map((block) => (block.type === 'text' ? (textIn(block, 'text') ?? '') : '')).join('');
  reply.toolCalls = blocks.filter(({ type }) => type === 'tool_use').map(callOf);
  reply.finishReason = finishOf(textIn(message, 'stop_reason'));
  reply.usage = usageOf(recordOf(message.usage));
  reply.responseId = textIn(message, 'id') ?? null;
  reply.responseModel = textIn(message, 'model') ?? null;
  reply.isComplete = true;
  return reply;
}

class MessageReader implements ReplyReader {
  readonly #reply = new ReplyState();
  readonly #blocks = new Map<number, { block: Payload; json: string }>();
  #usage: Payload = {};

  take(event: Payload): void {
    const reply = this.#reply;
    switch (event.type) {
      case 'message_start': {
        const message = recordOf(event.message);
        reply.responseId = textIn(message, 'id') ?? null;
        reply.responseModel = textIn(message, 'model') ?? null;
        this.#usage = recordOf(message.usage);
        break;
      }
      case 'content_block_start':
        this.#blocks.set(numberIn(event, 'index') ?? -1, { block: recordOf(event.content_block), json: '' });
        break;
      case 'content_block_delta': {
        const delta = recordOf(event.delta);
        const open = this.#blocks.get(numberIn(event, 'index') ?? -1);
        reply.text += delta.type === 'text_delta' ? (textIn(delta, 'text') ?? '') : '';
        if (open && delta.type === 'input_json_delta') open.json += textIn(delta, 'partial_json') ?? '';
        break;
      }
      case 'message_delta':
        reply.finishReason = finishOf(textIn(recordOf(event.delta), 'stop_reason'));
        this.#usage = { ...this.#usage, ...recordOf(event.usage) };
        break;
      case 'message_stop':
        reply.isComplete = true;
        break;
      case 'error': {
        const error = recordOf(event.error);
        reply.error = { type: textIn(error, 'type') ?? 'error', message: textIn(error, 'message') ?? '' };
      }
    }
  }

  reply(): WireReply {
    const calls = [...this.#blocks.values()].filter(({ block }) => block.type === 'tool_use');
    this.#reply.toolCalls = calls.map(({ block, json }) => ({
      ...callOf(block),
      ...(json !== '' && { arguments: parsedArguments(json) }),
    }));
    this.#reply.usage = usageOf(this.#usage);
    return this.#reply;
  }
}

const FINISH: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

function finishOf(reason: string | undefined): FinishReason | null {
  return reason === undefined ? null : (FINISH[reason] ?? 'other');
}

/** Anthropic counts cached input beside the input; ours includes it. */
function usageOf(usage: Payload): Usage {
  const [input, output] = [count(usage.input_tokens), count(usage.output_tokens)];
  const [read, write] = [count(usage.cache_read_input_tokens), count(usage.cache_creation_input_tokens)];
  return {
    input: input === null ? null : sum(input, read, write),
    output,
    total: null,
    cached_input: read,
    cache_write: write,
    reasoning: count(recordOf(usage.output_tokens_details).thinking_tokens),
  };
}
