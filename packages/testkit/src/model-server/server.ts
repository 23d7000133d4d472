import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicWire } from './anthropic-wire.js';
import type { Behaviour, Json, ModelServerRequest, ScriptedReply, ScriptedUsage } from './behaviour.js';
import { play } from './play.js';
import {
  argumentText,
  finishOf,
  fragments,
  type ReplyContext,
  textFragments,
  usageIn,
  type Wire,
} from './wire.js';

const data = (value: Json) => `data: ${JSON.stringify(value)}\n\n`;

/** OpenAI's chat completions, as a stream; reasoning as compatible servers send it. */
const openaiWire: Wire = {
  path: '/v1/chat/completions',
  *content(reply, about) {
    const chunk = (delta: Json) => data(chunkOf(about, { choices: [choice(delta, null)] }));
    yield chunk({ role: 'assistant', content: '' });
    for (const text of fragments(reply.reasoning ?? '', reply)) yield chunk({ reasoning_content: text });
    for (const text of textFragments(reply)) yield chunk({ content: text });
    for (const [index, call] of (reply.toolCalls ?? []).entries()) {
      const { id = `call_${index}`, name } = call;
      yield chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
      for (const text of fragments(argumentText(call), reply)) {
        yield chunk({ tool_calls: [{ index, function: { arguments: text } }] });
      }
    }
  },
  *ending(reply, about) {
    yield data(chunkOf(about, { choices: [choice({}, finishOf(reply))] }));
    const usage = usageIn(reply);
    if (usage !== null && about.wantsUsage) {
      yield data(chunkOf(about, { choices: [], usage: usageReport(usage) }));
    }
    yield 'data: [DONE]\n\n';
  },
  errorEvent: (error) => `data: ${openaiWire.errorBody(error, 200)}\n\n`,
  errorBody: ({ code = null, message }) =>
    JSON.stringify({ error: { message, type: code ?? 'error', param: null, code } }),
};

function chunkOf({ id, model }: ReplyContext, rest: { [key: string]: Json }): Json {
  return { id, object: 'chat.completion.chunk', created: 1_767_225_600, model, ...rest };
}

function choice(delta: Json, finish: ScriptedReply['finish'] | null): Json {
  return { index: 0, delta, finish_reason: finish ?? null };
}

function usageReport({ input, output, cachedInput, cacheWrite, reasoning }: ScriptedUsage): Json {
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

export type {
  Behaviour,
  ModelServerRequest,
  ProviderError,
  ScriptedCall,
  ScriptedError,
  ScriptedReply,
  ScriptedUsage,
} from './behaviour.js';

const WIRES: Record<ModelServerRequest['wire'], Wire> = { openai: openaiWire, anthropic: anthropicWire };

/** The server's script: one behaviour, a list whose last entry repeats, or a function of the request. */
export type Script = Behaviour | readonly Behaviour[] | ((request: ModelServerRequest) => Behaviour);

export interface FakeModelServer {
  /** Base of both APIs, version included: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly ModelServerRequest[];
  /** Requests whose connection is still open. */
  readonly inFlight: number;
  /** Replaces the script for later requests. */
  follow(script: Script): void;
  close(): Promise<void>;
}

export interface FakeModelServerOptions {
  /** Default: the text `ok`. */
  script?: Script;
  /** Default: any free one. */
  port?: number;
}

/**
 * A model provider on loopback with the protocols of OpenAI's chat completions (`/v1/chat/completions`) and Anthropic's
 * messages (`/v1/messages`), streamed. It follows a script and records its requests.
 */
export async function fakeModelServer(options: FakeModelServerOptions = {}): Promise<FakeModelServer> {
  const requests: ModelServerRequest[] = [];
  let next = behaviours(options.script ?? { text: 'ok' });
  let inFlight = 0;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    if (request === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error": {"message": "no such path", "type": "not_found_error", "code": null}}');
      return;
    }
    requests.push(request);
    const wire = WIRES[request.wire];
    if (request.body.stream !== true) {
      const error = { message: 'this server only streams: set "stream": true' };
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(wire.errorBody(error, 400));
      return;
    }
    await play(next(request), { request, response, wire, id: `fake-${requests.length}` });
  }

  const server = createServer((incoming, response) => {
    inFlight++;
    response.once('close', () => inFlight--);
    serve(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get inFlight() {
      return inFlight;
    },
    follow: (script) => {
      next = behaviours(script);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function behaviours(script: Script): (request: ModelServerRequest) => Behaviour {
  if (typeof script === 'function') return script;
  if (!isList(script)) return () => script;
  const rest = [...script];
  const last = rest.at(-1) ?? { text: 'ok' };
  return () => rest.shift() ?? last;
}

function isList(script: Behaviour | readonly Behaviour[]): script is readonly Behaviour[] {
  return Array.isArray(script);
}

async function readRequest(incoming: IncomingMessage): Promise<ModelServerRequest | undefined> {
  const chunks: Buffer[] = await incoming.toArray();
  const path = (incoming.url ?? '').replace(/\?.*/, '');
  const wire = (['openai', 'anthropic'] as const).find((name) => WIRES[name].path === path);
  if (wire === undefined || incoming.method !== 'POST') return undefined;
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  return { wire, path, headers, body: JSON.parse(Buffer.concat(chunks).toString()) };
}
