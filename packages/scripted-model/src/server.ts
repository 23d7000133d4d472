import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord, type Payload, type WireKey } from '@agentclash/domain';
import { anthropic } from './apis/anthropic.js';
import { type Api, type Reply, USAGE } from './apis/api.js';
import { chat } from './apis/chat.js';
import { parts } from './apis/frames.js';
import { google } from './apis/google.js';
import { responses } from './apis/responses.js';
import type { Behaviour, Ending, Script, ScriptedRequest } from './behaviour.js';
import { scriptedRequest, wireOf } from './request.js';
import { callFor } from './tools.js';

const APIS: Record<WireKey, Api> = { anthropic, chat, responses, google };
const VERSIONS: Record<WireKey, string> = { anthropic: 'v1', chat: 'v1', responses: 'v1', google: 'v1beta' };

export interface ScriptedModel {
  /** The base URL of an account that serves the API. */
  urlOf(wire: WireKey): string;
  /** Requests so far, in order of arrival. */
  readonly requests: readonly ScriptedRequest[];
  /** Requests under way. */
  readonly open: number;
  /** Headers of the latest request, by lower-case names. */
  readonly latestHeaders: Readonly<Record<string, string>>;
  /** Replaces the script for later requests. */
  follow(script: Script): void;
  close(): Promise<void>;
}

/** A model provider on loopback that follows a script. */
export async function scriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  let current = script;
  let open = 0;
  let latestHeaders: Record<string, string> = {};

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(incoming.url ?? '/', 'http://provider');
    const body = await bodyOf(incoming);
    if (/count_?tokens$/i.test(pathname)) {
      return sendJson(response, 200, { input_tokens: USAGE.input, totalTokens: USAGE.input });
    }
    const wire = incoming.method === 'POST' ? wireOf(pathname) : undefined;
    if (wire === undefined || body === undefined) {
      return sendJson(response, 404, chat.error({ status: 404, message: `no such route: ${pathname}` }));
    }
    latestHeaders = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    const request = scriptedRequest(wire, pathname, body);
    requests.push(request);
    await play(current(request), { request, response, id: String(requests.length) });
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
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (wire) => `http://127.0.0.1:${port}/${VERSIONS[wire]}`,
    requests,
    get open() {
      return open;
    },
    get latestHeaders() {
      return latestHeaders;
    },
    follow: (next) => {
      current = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  request: ScriptedRequest;
  response: ServerResponse;
  id: string;
}

async function play(behaviour: Behaviour, { request, response, id }: Exchange): Promise<void> {
  const api = APIS[request.wire];
  if ('silent' in behaviour) return;
  if ('status' in behaviour) {
    const { status, message = `a scripted ${status}`, headers } = behaviour;
    return sendJson(response, status, api.error({ status, message }), headers);
  }
  const reply = replyOf(behaviour, request, id);
  const { whole, frames } = api.write(reply);
  const type = request.isStream ? 'text/event-stream' : 'application/json';
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' });
  const sent = request.isStream ? frames : parts(JSON.stringify(whole));
  sendFrames(response, sent, behaviour.ending ?? 'complete');
}

function replyOf(
  behaviour: Exclude<Behaviour, { silent: true } | { status: number }>,
  request: ScriptedRequest,
  id: string,
): Reply {
  const { model, tools } = request;
  const call = callFor(behaviour, tools);
  if (call) return { id, model, text: '', call };
  const text = 'text' in behaviour ? behaviour.text : 'No tool that is offered here does this.';
  return { id, model, text: wantsJson(request) ? '{"reasoning":"done","next_speaker":"user"}' : text };
}

/** Gemini CLI also requests short decisions as JSON. */
function wantsJson({ body }: ScriptedRequest): boolean {
  const config = body.generationConfig;
  return isRecord(config) && config.responseMimeType === 'application/json';
}

function sendFrames(response: ServerResponse, frames: readonly string[], ending: Ending): void {
  const count = ending === 'complete' ? frames.length : Math.ceil(frames.length / 2);
  for (const frame of frames.slice(0, count)) response.write(frame);
  if (ending === 'complete') response.end();
  // Output from before arrives before the connection breaks.
  else if (ending === 'cut') setTimeout(() => response.destroy(), 50);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: Payload,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(incoming: IncomingMessage): Promise<Payload | undefined> {
  const chunks: Buffer[] = await incoming.toArray();
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
