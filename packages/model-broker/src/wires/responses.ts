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
import { openAiError } from './chat.js';
import { BodyRestriction, eachPart, omit, remoteMember, withTools } from './restriction.js';
import { contentText, count, parsedArguments, ReplyState } from './texts.js';
import type { Conversation, ReplyReader, Wire, WireMessage, WireReply, WireToolCall } from './wire.js';

/** Tools that the client executes; a namespace holds further tools. */
const CLIENT_TOOLS = new Set<unknown>(['function', 'custom', 'local_shell']);
const SERVER_FIELDS = ['background', 'store'];
/** State that the provider holds: without it the request has another meaning. */
const REFUSED_FIELDS = ['previous_response_id', 'conversation', 'prompt'];
const CLIENT_CHOICES = new Set<unknown>(['function', 'custom', 'allowed_tools']);

/** OpenAI Responses (`POST /v1/responses`). */
export const responses: Wire = {
  key: 'responses',
  head: (body) => ({
    model: textIn(body, 'model'),
    isStream: body.stream === true,
    outputTokensMax: numberIn(body, 'max_output_tokens') ?? null,
    replies: 1,
  }),
  restrict(body) {
    const restriction = new BodyRestriction();
    restriction.refuseFields(body, REFUSED_FIELDS);
    const rest = restriction.without(body, SERVER_FIELDS);
    const tools = clientTools(body.tools, 'tools', restriction);
    const input = Array.isArray(body.input) ? restrictItems(body.input, restriction) : undefined;
    const restricted = { ...withTools(rest, tools), ...(input && { input }) };
    return restriction.end(withPossibleChoice(restricted));
  },
  // The default of `store` is true.
  outgoing: (body, model) => ({ ...body, model, store: false }),
  withOutputMax: (body, { tokens }) => ({ ...body, max_output_tokens: tokens }),
  smallestCall: { input: 'Reply with OK.' },
  path: () => '/responses',
  credential: (key) => ({ authorization: `Bearer ${key}` }),
  conversation,
  reader: () => new EventReader(),
  whole: (response) => read(response, new ReplyState()),
  // Codex repeats a 403 but not a 400.
  error: ({ status, type, message }) => openAiError(status === 403 ? 400 : status, type, message),
};

function clientTools(tools: unknown, path: string, restriction: BodyRestriction): Payload[] {
  const kept = restriction.clientTools(tools, path, ({ type }) =>
    CLIENT_TOOLS.has(type) || type === 'namespace' ? undefined : `server tool ${textOf(type)}`,
  );
  return kept.map((tool) =>
    tool.type === 'namespace'
      ? {
          ...tool,
          tools: clientTools(tool.tools, `${path}[${listOf(tools).indexOf(tool)}].tools`, restriction),
        }
      : tool,
  );
}

function restrictItems(items: readonly unknown[], restriction: BodyRestriction): unknown[] {
  return items.map((item, index) => {
    const path = `input[${index}]`;
    if (!isRecord(item)) return item;
    const isReference =
      item.type === 'item_reference' || (item.type === undefined && item.role === undefined);
    if (isReference) restriction.refuse(path, 'item_reference');
    for (const member of ['content', 'output']) {
      eachPart(item[member], `${path}.${member}`, (part, at) => restrictPart(part, at, restriction));
    }
    // The screenshot of a computer call is one part, no list.
    if (isRecord(item.output)) restrictPart(item.output, `${path}.output`, restriction);
    if (item.type !== 'additional_tools') return item;
    return { ...item, tools: clientTools(item.tools, `${path}.tools`, restriction) };
  });
}

function restrictPart(part: Payload, path: string, restriction: BodyRestriction): void {
  const remote = remoteMember(part);
  if (remote !== undefined) restriction.refuse(`${path}.${remote}`, 'content that is not inline');
}

/** The body without a `tool_choice` of a server tool. */
function withPossibleChoice(body: Payload): Payload {
  const choice = recordIn(body, 'tool_choice');
  if (choice === undefined) return body;
  if (!CLIENT_CHOICES.has(choice.type)) return omit(body, ['tool_choice']);
  if (choice.type !== 'allowed_tools') return body;
  const tools = recordsIn(choice, 'tools').filter(({ type }) => CLIENT_CHOICES.has(type));
  return tools.length > 0 ? { ...body, tool_choice: { ...choice, tools } } : omit(body, ['tool_choice']);
}

function conversation(body: Payload): Conversation {
  const instructions = contentText(body.instructions);
  const items = recordsIn(body, 'input');
  const input: WireMessage[] =
    typeof body.input === 'string' ? [{ role: 'user', text: body.input }] : items.flatMap(messagesOf);
  const added = items.filter(({ type }) => type === 'additional_tools');
  return {
    messages: [...(instructions === '' ? [] : [{ role: 'system', text: instructions } as const]), ...input],
    tools: [...recordsIn(body, 'tools'), ...added.flatMap((item) => recordsIn(item, 'tools'))].flatMap(
      toolNames,
    ),
  };
}

function toolNames(tool: Payload): string[] {
  const name = textIn(tool, 'name') ?? textOf(tool.type);
  if (tool.type !== 'namespace') return [name];
  return recordsIn(tool, 'tools').flatMap((inner) => toolNames(inner).map((each) => `${name}.${each}`));
}

function messagesOf(item: Payload): WireMessage[] {
  const call = callOf(item);
  if (call) return [{ role: 'assistant', text: '', tool_calls: [call] }];
  if (typeof item.type === 'string' && item.type.endsWith('_call_output')) {
    const output = isRecord(item.output) ? JSON.stringify(item.output) : contentText(item.output);
    return [{ role: 'tool', tool_call_id: textIn(item, 'call_id') ?? '', result: output }];
  }
  if (item.role === undefined) return [];
  const text = contentText(item.content);
  if (item.role === 'assistant') return [{ role: 'assistant', text, tool_calls: [] }];
  return [{ role: item.role === 'user' ? 'user' : 'system', text }];
}

/** An item that calls a tool: a namespaced tool is named with its namespace. */
function callOf(item: Payload): WireToolCall | undefined {
  const id = textIn(item, 'call_id') ?? '';
  const space = textIn(item, 'namespace');
  const name = [space, textIn(item, 'name') ?? ''].filter((part) => part !== undefined).join('.');
  if (item.type === 'function_call') {
    return { id, name, arguments: parsedArguments(textIn(item, 'arguments') ?? '') };
  }
  if (item.type === 'custom_tool_call') return { id, name, arguments: textIn(item, 'input') ?? '' };
  if (item.type !== 'local_shell_call') return undefined;
  return { id, name: 'local_shell', arguments: JSON.parse(JSON.stringify(item.action ?? {})) };
}

function read(response: Payload, reply: ReplyState): ReplyState {
  const items = recordsIn(response, 'output');
  const texts = items
    .filter(({ type }) => type === 'message')
    .flatMap((item) => recordsIn(item, 'content'))
    .map((part) => (part.type === 'output_text' ? (textIn(part, 'text') ?? '') : ''));
  if (texts.length > 0) reply.text = texts.join('');
  const calls = items.map(callOf).filter((call) => call !== undefined);
  if (calls.length > 0) reply.toolCalls = calls;
  reply.finishReason = finishOf(response, reply.toolCalls.length > 0);
  reply.usage = usageOf(response.usage);
  reply.responseId = textIn(response, 'id') ?? null;
  reply.responseModel = textIn(response, 'model') ?? null;
  reply.isComplete = true;
  const error = recordIn(response, 'error');
  if (error)
    reply.error = { type: textIn(error, 'code') ?? 'error', message: textIn(error, 'message') ?? '' };
  return reply;
}

const LAST_EVENTS = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed']);

class EventReader implements ReplyReader {
  readonly #reply = new ReplyState();

  take(event: Payload): void {
    const reply = this.#reply;
    if (event.type === 'response.created') {
      const response = recordOf(event.response);
      reply.responseId = textIn(response, 'id') ?? null;
      reply.responseModel = textIn(response, 'model') ?? null;
    } else if (event.type === 'response.output_text.delta') {
      reply.text += textIn(event, 'delta') ?? '';
    } else if (event.type === 'response.output_item.done') {
      const call = callOf(recordOf(event.item));
      if (call) reply.toolCalls.push(call);
    } else if (event.type === 'error') {
      const error = recordIn(event, 'error') ?? event;
      reply.error = { type: textIn(error, 'code') ?? 'error', message: textIn(error, 'message') ?? '' };
    } else if (LAST_EVENTS.has(event.type)) {
      read(recordOf(event.response), reply);
    }
  }

  reply(): WireReply {
    return this.#reply;
  }
}

function finishOf(response: Payload, hasCalls: boolean): FinishReason {
  const reason = textIn(recordOf(response.incomplete_details), 'reason');
  if (reason === 'max_output_tokens') return 'length';
  if (reason === 'content_filter') return 'content_filter';
  if (response.status !== 'completed') return 'other';
  return hasCalls ? 'tool_calls' : 'stop';
}

function usageOf(value: unknown): Usage {
  const usage = recordOf(value);
  const input = recordOf(usage.input_tokens_details);
  return {
    input: count(usage.input_tokens),
    output: count(usage.output_tokens),
    total: count(usage.total_tokens),
    cached_input: count(input.cached_tokens),
    cache_write: count(input.cache_write_tokens),
    reasoning: count(recordOf(usage.output_tokens_details).reasoning_tokens),
  };
}
