import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Behaviour, ModelServerRequest, ScriptedError, ScriptedReply, StreamEnd } from './behaviour.js';
import type { ReplyContext, Wire } from './wire.js';

/** One request and its open response. */
export interface Exchange {
  request: ModelServerRequest;
  response: ServerResponse;
  wire: Wire;
  id: string;
}

/** Plays a behaviour as the response to a request. Returns at its end, or when the client has disconnected. */
export async function play(behaviour: Behaviour, exchange: Exchange): Promise<void> {
  const { response } = exchange;
  if ('silent' in behaviour) return disconnected(response);
  if ('status' in behaviour) return sendError(behaviour, exchange);
  if ('raw' in behaviour) {
    response.writeHead(200, { 'content-type': behaviour.contentType ?? 'text/event-stream' });
    response.end(behaviour.raw);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await streamReply(behaviour, exchange);
}

function sendError({ status, error, html, headers = {} }: ScriptedError, { response, wire }: Exchange): void {
  const type = html === undefined ? 'application/json' : 'text/html; charset=utf-8';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(html ?? (error === undefined ? '' : wire.errorBody(error, status)));
}

async function streamReply(reply: ScriptedReply, exchange: Exchange): Promise<void> {
  const { response, wire } = exchange;
  const about = contextOf(exchange, reply);
  for (const event of wire.content(reply, about)) {
    if (!(await send(event, response, reply.dripMs))) return;
  }
  if (reply.ending !== undefined) return endBadly(reply.ending, exchange);
  for (const event of wire.ending(reply, about)) await send(event, response, reply.dripMs);
  response.end();
}

async function endBadly(how: StreamEnd, { response, wire }: Exchange): Promise<void> {
  if (how === 'stall') return disconnected(response);
  if (how === 'cut') {
    response.destroy();
    return;
  }
  if (how === 'broken') response.write('data: {"id": "chatcmpl-1", "choi\n\n');
  else if (how !== 'end') response.write(wire.errorEvent(how.error));
  response.end();
}

function contextOf({ request, id }: Exchange, { model, id: ownId }: ScriptedReply): ReplyContext {
  const { body } = request;
  const options = body.stream_options;
  const wantsUsage =
    typeof options === 'object' && options !== null && 'include_usage' in options && !!options.include_usage;
  return { id: ownId ?? id, model: model ?? String(body.model), wantsUsage };
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
