// A provider in a process of its own, so that its work is not charged to the services. Sends its port to its parent.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REPLY_DELAY_MS } from './programs.js';

const EVENTS = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Li' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: { content: 'ma' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } },
];
const REPLY = [...EVENTS.map((event) => JSON.stringify({ id: 'c', model: 'm', ...event })), '[DONE]']
  .map((data) => `data: ${data}\n\n`)
  .join('');

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(REPLY);
    }, REPLY_DELAY_MS);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
