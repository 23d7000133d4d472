import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject, WireKey } from '@agentclash/domain';
import { anthropic } from './apis/anthropic.js';
import type { Api, ScriptedUsage } from './apis/api.js';
import { chat } from './apis/chat.js';
import { google } from './apis/google.js';
import { responses } from './apis/responses.js';
import type { Behaviour, Script, ScriptedRequest } from './behaviour.js';
import { play, sendJson } from './play.js';
import { readBody, scriptedRequest, wireOf } from './request.js';

const APIS: Record<WireKey, Api> = { anthropic, chat, responses, google };
const OK = { text: 'ok' };

export interface ScriptedModel {
  /** Base of all APIs but Gemini, version included: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  /** The base URL of an account that serves the API. */
  urlOf(wire: WireKey): string;
  /** Requests so far, in order of arrival. */
  readonly requests: readonly ScriptedRequest[];
  /** Requests under way. */
  readonly open: number;
  /** Replaces the script for later requests. */
  follow(script: Script): void;
  close(): Promise<void>;
}

export interface ScriptedModelOptions {
  /** Of replies without their own; default 10 in, 5 out. */
  usage?: ScriptedUsage;
}

/**
 * A model provider on loopback with the APIs of OpenAI (chat completions and responses), Anthropic and Gemini. It follows
 * a script, by default the text `ok`, and keeps its requests.
 */
export async function scriptedModel(
  script: Script = OK,
  { usage = { input: 10, output: 5 } }: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  let next = behaviours(script);
  let open = 0;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(incoming.url ?? '/', 'http://provider');
    const body = await readBody(incoming);
    if (/count_?tokens$/i.test(pathname)) {
      return sendJson(response, 200, { body: { input_tokens: usage.input, totalTokens: usage.input } });
    }
    const wire = incoming.method === 'POST' ? wireOf(pathname) : undefined;
    if (wire === undefined || body === undefined) return notFound(response, pathname);
    const request = scriptedRequest({ wire, path: pathname, headers: incoming.headers, body });
    requests.push(request);
    const id = String(requests.length);
    await play(next(request), { request, response, api: APIS[wire], id, usage });
  }

  const server = createServer((incoming, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    serve(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/v1`,
    urlOf: (wire) => `${origin}/${wire === 'google' ? 'v1beta' : 'v1'}`,
    requests,
    get open() {
      return open;
    },
    follow: (given) => {
      next = behaviours(given);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function notFound(response: ServerResponse, pathname: string): void {
  const body: JsonObject = chat.error({ message: `no such route: ${pathname}` }, 404);
  sendJson(response, 404, { body });
}

function behaviours(script: Script): (request: ScriptedRequest) => Behaviour {
  if (typeof script === 'function') return script;
  if (!isList(script)) return () => script;
  const rest = [...script];
  const last = rest.at(-1) ?? OK;
  return () => rest.shift() ?? last;
}

function isList(script: Behaviour | readonly Behaviour[]): script is readonly Behaviour[] {
  return Array.isArray(script);
}
