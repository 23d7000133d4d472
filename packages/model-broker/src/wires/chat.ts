import type { FinishReason, Usage } from '@agentclash/domain';
import {
  isRecord,
  listOf,
  numberIn,
  type Payload,
  recordIn,
  recordOf,
  recordsIn,
  textIn,
  textOf,
} from '@agentclash/domain';
import { BodyRestriction, eachPart, omit, remoteMember, withTools } from './restriction.js';
import { contentText, count, parsedArguments, ReplyState } from './texts.js';
import type { Conversation, ReplyReader, Wire, WireMessage, WireReply, WireToolCall } from './wire.js';

const CLIENT_TOOLS = new Set<unknown>(['function', 'custom']);
/** Searches, stored replies, and the fields by which routers of providers change the model. */
const SERVER_FIELDS = [
  'store',
  'web_search_options',
  'search_parameters',
  'plugins',
  'models',
  'route',
  'provider',
  'preset',
  'transforms',
];

/** OpenAI Chat Completions (`POST /v1/chat/completions`). */
export const chat: Wire = {
  key: 'chat',
  head: (body) => ({
    model: textIn(body, 'model'),
    isStream: body.stream === true,
    // Providers differ in the one that they take.
    outputTokensMax: largest(numberIn(body, 'max_completion_tokens'), numberIn(body, 'max_tokens')),
    replies: Math.max(1, numberIn(body, 'n') ?? 1),
  }),
  restrict(body) {
    const restriction = new BodyRestriction();
    const rest = restriction.without(body, SERVER_FIELDS);
    const tools = restriction.clientTools(body.tools, 'tools', ({ type }) =>
      CLIENT_TOOLS.has(type) ? undefined : `server tool ${textOf(type)}`,
    );
    for (const [index, message] of listOf(body.messages).entries()) {
      if (!isRecord(message)) continue;
      eachPart(message.content, `messages[${index}].content`, (part, at) => {
        const remote = remoteMember(part);
        if (remote !== undefined) restriction.refuse(`${at}.${remote}`, 'content that is not inline');
      });
    }
    return restriction.end(withPossibleChoice(withTools(rest, tools)));
  },
  outgoing: (body, model) => ({
    ...body,
    model,
    // Without it a stream reports no usage.
    ...(body.stream === true && {
      stream_options: { ...recordIn(body, 'stream_options'), include_usage: true },
    }),
  }),
  // OpenAI's reasoning models refuse the earlier name, which is the only one of some compatible servers.
  withOutputMax: (body, { tokens, providerKey }) => ({
    ...body,
    [providerKey === 'openai' ? 'max_completion_tokens' : 'max_tokens']: tokens,
  }),
  smallestCall: { messages: [{ role: 'user', content: 'Reply with OK.' }] },
  path: () => '/chat/completions',
  credential: (key) => ({ authorization: `Bearer ${key}` }),
  conversation,
  reader: () => new ChunkReader(),
  whole,
  error: ({ status, type, message }) => openAiError(status, type, message),
};

function largest(...given: readonly (number | undefined)[]): number | null {
  const numbers = given.filter((each) => each !== undefined);
  return numbers.length === 0 ? null : Math.max(...numbers);
}

export function openAiError(status: number, type: string, message: string) {
  return { status, headers: {}, body: { error: { message, type, code: type, param: null } } };
}

/** The body without a `tool_choice` of a removed tool. */
function withPossibleChoice(body: Payload): Payload {
  const choice = recordIn(body, 'tool_choice');
  if (choice === undefined || CLIENT_TOOLS.has(choice.type) || choice.type === 'allowed_tools') return body;
  return omit(body, ['tool_choice']);
}

function conversation(body: Payload): Conversation {
  return {
    messages: recordsIn(body, 'messages').map(messageOf),
    tools: recordsIn(body, 'tools').map(
      (tool) => textIn(recordOf(tool.function), 'name') ?? textIn(recordOf(tool.custom), 'name') ?? '',
    ),
  };
}

function messageOf(message: Payload): WireMessage {
  const text = contentText(message.content);
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', text, tool_calls: recordsIn(message, 'tool_calls').map(callOf) };
    case 'tool':
    case 'function':
      return { role: 'tool', tool_call_id: textIn(message, 'tool_call_id') ?? '', result: text };
    case 'system':
    case 'developer':
      return { role: 'system', text };
    default:
      return { role: 'user', text };
  }
}

function callOf(call: Payload): WireToolCall {
  const id = textIn(call, 'id') ?? '';
  const custom = recordIn(call, 'custom');
  if (custom) return { id, name: textIn(custom, 'name') ?? '', arguments: textIn(custom, 'input') ?? '' };
  const made = recordOf(call.function);
  const name = textIn(made, 'name') ?? '';
  return { id, name, arguments: parsedArguments(textIn(made, 'arguments') ?? '') };
}

function whole(completion: Payload): WireReply {
  const reply = new ReplyState();
  const [choice] = recordsIn(completion, 'choices');
  const message = recordOf(choice?.message);
  reply.text = contentText(message.content);
  reply.toolCalls = recordsIn(message, 'tool_calls').map(callOf);
  reply.finishReason = finishOf(choice && textIn(choice, 'finish_reason'));
  reply.usage = usageOf(completion.usage);
  reply.responseId = textIn(completion, 'id') ?? null;
  reply.responseModel = textIn(completion, 'model') ?? null;
  reply.isComplete = true;
  return reply;
}

/** Reads the first choice; further ones are replies that no program uses while it streams. */
class ChunkReader implements ReplyReader {
  readonly #reply = new ReplyState();
  readonly #calls = new Map<number, { id: string; name: string; text: string; isCustom: boolean }>();

  take(chunk: Payload): void {
    const reply = this.#reply;
    reply.responseId ??= textIn(chunk, 'id') ?? null;
    reply.responseModel ??= textIn(chunk, 'model') ?? null;
    if (isRecord(chunk.usage)) reply.usage = usageOf(chunk.usage);
    if (isRecord(chunk.error)) {
      reply.error = {
        type: textIn(chunk.error, 'type') ?? textIn(chunk.error, 'code') ?? 'error',
        message: textIn(chunk.error, 'message') ?? '',
      };
    }
    const choice = recordsIn(chunk, 'choices').find(({ index }) => (index ?? 0) === 0);
    if (choice === undefined) return;
    const delta = recordOf(choice.delta);
    reply.text += textIn(delta, 'content') ?? '';
    for (const part of recordsIn(delta, 'tool_calls')) this.#takeCall(part);
    const finish = textIn(choice, 'finish_reason');
    if (finish !== undefined) {
      reply.finishReason = finishOf(finish);
      reply.isComplete = true;
    }
  }

  #takeCall(part: Payload): void {
    const index = numberIn(part, 'index') ?? this.#calls.size;
    const call = this.#calls.get(index) ?? { id: '', name: '', text: '', isCustom: false };
    const custom = recordIn(part, 'custom');
    const made = custom ?? recordOf(part.function);
    call.isCustom ||= custom !== undefined;
    call.id ||= textIn(part, 'id') ?? '';
    call.name ||= textIn(made, 'name') ?? '';
    call.text += textIn(made, custom ? 'input' : 'arguments') ?? '';
    this.#calls.set(index, call);
  }

  reply(): WireReply {
    this.#reply.toolCalls = [...this.#calls.values()].map(({ id, name, text, isCustom }) => ({
      id,
      name,
      arguments: isCustom ? text : parsedArguments(text),
    }));
    return this.#reply;
  }
}

const FINISH: Record<string, FinishReason> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  content_filter: 'content_filter',
};

function finishOf(reason: string | undefined): FinishReason | null {
  return reason === undefined ? null : (FINISH[reason] ?? 'other');
}

function usageOf(value: unknown): Usage {
  const usage = recordOf(value);
  const prompt = recordOf(usage.prompt_tokens_details);
  return {
    input: count(usage.prompt_tokens),
    output: count(usage.completion_tokens),
    total: count(usage.total_tokens),
    cached_input: count(prompt.cached_tokens),
    cache_write: count(prompt.cache_write_tokens),
    reasoning: count(recordOf(usage.completion_tokens_details).reasoning_tokens),
  };
}
