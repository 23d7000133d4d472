import { BusConnection } from '@agentclash/bus';
import { vault } from '@agentclash/contracts';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { packText } from '../testing/pack-text.js';
import { TestRegistry } from '../testing/test-registry.js';

const database = await freshDatabase();
const nats = await freshNats();

const TOOLS = `
tools:
  custom:
    - name: look_up
      parameters: {type: object, properties: {}}
      implementation:
        primitive: http_request
        args: {method: GET, url: "https://api.example.com/", headers: {A: "\${secrets.FREE}", B: "\${secrets.BOUND}"}}
  mcp_servers:
    - {name: prices, url: "https://prices.example.com/mcp", headers: {C: "\${secrets.FREE_TOO}"}}
`;

function packWith(slug: string): string {
  const network = '  tool_policy: {allowed_tool_kinds: [network]}\n  sandbox: {network_access: true}\n';
  return packText({ slug })
    .replace('execution_mode: prompt_eval\n', `execution_mode: native\n${network}`)
    .concat(TOOLS);
}

describe('a pack whose tools and servers use secrets', () => {
  let registry: TestRegistry;
  let connection: BusConnection;
  const unbound = new Set<string>();
  const queried: string[][] = [];

  beforeAll(async () => {
    registry = await TestRegistry.start({ database: database.url, nats: nats.url });
    connection = await BusConnection.open({ servers: [nats.url], name: 'secrets-vault' });
    connection.nats.subscribe(vault.unbound.subject, {
      callback: (_error, request) => {
        const { keys } = request.json<{ keys: string[] }>();
        queried.push(keys);
        const data = { keys: keys.filter((key) => unbound.has(key)) };
        request.respond(JSON.stringify({ ok: true, data }));
      },
    });
  });
  afterAll(async () => {
    await registry.close();
    await connection.close();
  });

  test('a pack is published and validated with a warning for each secret that is not bound to hosts', async () => {
    unbound.add('FREE');
    unbound.add('FREE_TOO');
    const fields = [
      'tools.custom[0].implementation.args["headers"]["A"]',
      'tools.mcp_servers[0].headers["C"]',
    ];
    const warnings = fields.map((field) => ({ code: 'secret_unbound', severity: 'warning', field }));
    const text = packWith('free');
    expect(await registry.validate(text)).toMatchObject({ valid: true, warnings });
    expect(await registry.publish(text)).toMatchObject({ created: true, warnings });
    expect(queried).toContainEqual(['FREE', 'BOUND', 'FREE_TOO']);
    unbound.clear();
    expect(await registry.publish(text)).toMatchObject({ created: false, warnings: [] });
  });
});
