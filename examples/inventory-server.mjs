// The warehouse of the pack `inventory`: responds to stock queries that carry the token.
//   node examples/inventory-server.mjs [--port 8377] [--token <token>]
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8377' },
    token: { type: 'string', default: 'warehouse-demo-token' },
  },
});

const STOCK = { 'A-100': 1200, 'A-200': 0, 'B/7': 36 };

const server = createServer((request, response) => {
  const respond = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (request.headers.authorization !== `Bearer ${values.token}`)
    return respond(401, { error: 'token wanted' });
  const [, article] = /^\/stock\/([^/?]+)$/.exec(request.url ?? '') ?? [];
  const sku = article && decodeURIComponent(article);
  if (sku === undefined || !Object.hasOwn(STOCK, sku)) return respond(404, { error: 'no such article' });
  return respond(200, { sku, quantity: STOCK[sku] });
});

server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(
    `The warehouse listens on http://127.0.0.1:${server.address().port} and wants the token ${values.token}`,
  );
});
