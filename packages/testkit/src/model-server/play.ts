import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Behaviour, ModelServerRequest, Refusal, StreamEnd } from './behaviour.js';
import type { AnswerAbout, Wire } from './wire.js';

/** One request on its way to being answered. */
export interface Stage {
  request: ModelServerRequest;
  response: ServerResponse;
  wire: Wire;
  id: string;
}

/** Does with a request what the script says. Returns when it is done, or when the client has left. */
export async function play(behaviour: Behaviour, stage: Stage): Promise<void> {
  const { response } = stage;
  if ('silent' in behaviour) return left(response);
  if ('status' in behaviour) return refuse(behaviour, stage);
  if ('raw' in behaviour) {
    response.writeHead(200, { 'content-type': behaviour.contentType ?? 'text/event-stream' });
    response.end(behaviour.raw);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await answer(behaviour, stage);
}

function refuse({ status, error, html, headers = {} }: Refusal, { response, wire }: Stage): void {
  const type = html === undefined ? 'application/json' : 'text/html; charset=utf-8';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(html ?? (error === undefined ? '' : wire.errorBody(error, status)));
}

async function answer(said: Answer, stage: Stage): Promise<void> {
  const { response, wire } = stage;
  const about = aboutOf(stage, said);
  for (const event of wire.content(said, about)) {
    if (!(await send(event, response, said.dripMs))) return;
  }
  if (said.ending !== undefined) return endBadly(said.ending, stage);
  for (const event of wire.ending(said, about)) await send(event, response, said.dripMs);
  response.end();
}

async function endBadly(how: StreamEnd, { response, wire }: Stage): Promise<void> {
  if (how === 'stall') return left(response);
  if (how === 'cut') {
    response.destroy();
    return;
  }
  if (how === 'broken') response.write('data: {"id": "chatcmpl-1", "choi\n\n');
  else if (how !== 'end') response.write(wire.errorEvent(how.error));
  response.end();
}

function aboutOf({ request, id }: Stage, { model, id: ownId }: Answer): AnswerAbout {
  const { body } = request;
  const options = body.stream_options;
  const wantsUsage =
    typeof options === 'object' && options !== null && 'include_usage' in options && !!options.include_usage;
  return { id: ownId ?? id, model: model ?? String(body.model), wantsUsage };
}

/** False when there is nobody to send to any more. */
async function send(event: string, response: ServerResponse, dripMs = 0): Promise<boolean> {
  if (dripMs > 0) await wait(dripMs);
  if (response.destroyed) return false;
  if (!response.write(event)) await room(response);
  return !response.destroyed;
}

function left(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.once('close', resolve);
  });
}

/** Until more can be written, or there is nobody to write to. */
function room(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}
