import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '@agentclash/domain';
import type { Api, ScriptedUsage } from './apis/api.js';
import type { Behaviour, ScriptedError, ScriptedRequest, StreamEnd } from './behaviour.js';
import { type Replied, replyOf } from './reply.js';

/** Output from before arrives before a connection breaks. */
const CUT_DELAY_MS = 50;

/** One request and its open response. */
export interface Exchange {
  request: ScriptedRequest;
  response: ServerResponse;
  api: Api;
  id: string;
  usage: ScriptedUsage;
}

/** Plays a behaviour as the response to a request. Returns at its end, or when the client has disconnected. */
export async function play(behaviour: Behaviour, exchange: Exchange): Promise<void> {
  const { response, request } = exchange;
  if ('silent' in behaviour) return disconnected(response);
  if ('status' in behaviour) return sendError(behaviour, exchange);
  if ('raw' in behaviour) {
    response.writeHead(200, { 'content-type': behaviour.contentType ?? 'text/event-stream' });
    response.end(behaviour.raw);
    return;
  }
  if (request.isStream) await stream(behaviour, exchange);
  else await sendWhole(behaviour, exchange);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  { body, headers = {} }: { body: JsonObject; headers?: Readonly<Record<string, string>> },
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function sendError({ status, error, html, headers }: ScriptedError, { response, api }: Exchange): void {
  if (html === undefined) {
    const body = api.error(error ?? { message: `a scripted ${status}` }, status);
    sendJson(response, status, { body, ...(headers && { headers }) });
  } else {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(html);
  }
}

async function stream(behaviour: Replied, exchange: Exchange): Promise<void> {
  const { response, api } = exchange;
  const { dripMs, ending } = behaviour;
  const reply = replyOf(behaviour, exchange);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of api.content(reply)) {
    if (!(await send(event, response, dripMs))) return;
  }
  if (ending !== undefined) return await endBadly(ending, exchange);
  for (const event of api.ending(reply)) await send(event, response, dripMs);
  response.end();
}

async function sendWhole(behaviour: Replied, exchange: Exchange): Promise<void> {
  const { response, api } = exchange;
  const text = JSON.stringify(api.whole(replyOf(behaviour, exchange)));
  response.writeHead(200, { 'content-type': 'application/json' });
  if (behaviour.ending === undefined) {
    response.end(text);
    return;
  }
  response.write(text.slice(0, text.length / 2));
  await endBadly(behaviour.ending, exchange);
}

async function endBadly(how: StreamEnd, { response, api }: Exchange): Promise<void> {
  if (how === 'stall') return disconnected(response);
  if (how === 'cut') {
    await wait(CUT_DELAY_MS);
    response.destroy();
    return;
  }
  if (how === 'broken') response.write('data: {"id": "chatcmpl-1", "choi\n\n');
  else if (how !== 'end') response.write(api.errorEvent(how.error));
  response.end();
}

/** False when the client has disconnected. */
async function send(event: string, response: ServerResponse, dripMs = 0): Promise<boolean> {
  if (dripMs > 0) await wait(dripMs);
  if (response.destroyed) return false;
  if (!response.write(event)) await drained(response);
  return !response.destroyed;
}

function disconnected(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.once('close', resolve);
  });
}

/** Resolves when more can be written, or the client has disconnected. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}
