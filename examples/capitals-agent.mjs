// An agent behind a url, for the pack capital-cities: takes a task as JSON, replies {"output": …}.
//   node examples/capitals-agent.mjs [--port 8378] [--token <token>]
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '8378' }, token: { type: 'string' } },
});

const CAPITALS = { Peru: 'Lima', Malta: 'Valletta', Kenya: 'Nairobi', Nepal: 'Kathmandu' };

/** The task holds title, instructions, payload, inputs, files and limits, and nothing of how it is graded. */
function solve({ payload }) {
  const country = payload?.country;
  return Object.hasOwn(CAPITALS, country) ? CAPITALS[country] : 'I do not know.';
}

const server = createServer(async (request, response) => {
  const respond = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (values.token !== undefined && request.headers.authorization !== `Bearer ${values.token}`)
    return respond(401, { error: 'token wanted' });
  if (request.method !== 'POST' || request.url !== '/solve') return respond(404, { error: 'POST /solve' });
  const task = await json(request).catch(() => undefined);
  if (task?.schema !== 'agentclash.task/1') return respond(400, { error: 'that is no task' });
  return respond(200, { output: solve(task), usage: { input_tokens: 0, output_tokens: 0 } });
});

server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`The agent listens on http://127.0.0.1:${server.address().port}/solve`);
});
