import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  type Behaviour,
  type ScriptedModel,
  type ScriptedRequest,
  scriptedModel,
} from '@agentclash/scripted-model';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { filesWith, formsOf } from './planted.js';
import { Product, repository } from './product.js';
import { historyProblems, readRecorded } from './testing/recorded.js';

jest.setTimeout(180_000);

const example = (...names: string[]) => path.join(repository, 'examples', ...names);
const UNITS = readFileSync(example('deployments', 'mcp', 'units.py'), 'utf8');

const pack = (slug: string, { server, more = '' }: { server: string; more?: string }) => `
pack: {slug: ${slug}, name: Expedition, family: tests}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [shell, network]}
  sandbox: {network_access: true, network_allowlist: [127.0.0.1/32]}
  assets: [{key: server, path: ${server}}]
  evaluation_spec:
    name: ${slug}
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: exact, type: exact_match, target: final_output, expected_from: case.expectations.log}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
tools:
  denied: [exec, http_request]
  mcp_servers:
    - name: units
      command: [python3, /mcp/units/server.py]
      files: [{artifact_key: server, path: server.py}]
${more}
challenges:
  - key: log
    title: Write the log
    category: tests
    difficulty: easy
    instructions: Convert 26.2 miles into kilometres, look up ticket 7, and submit both.
input_sets:
  - key: default
    name: All
    cases: [{challenge_key: log, case_key: one, expectations: [{key: log, kind: text, value: 42.16 printer}]}]
`;
const tickets = (port: number) => `
    - name: tickets
      url: http://127.0.0.1:${port}/mcp
      headers: {Authorization: "Bearer \${secrets.TICKETS_TOKEN}"}
`;

const CONVERT = { name: 'units__convert', arguments: { value: 26.2, from: 'mile', to: 'kilometre' } };
const LOOKUP = { name: 'tickets__lookup', arguments: { id: '7' } };
const SUBMIT = { name: 'submit', arguments: { answer: '42.16 printer' } };

const PROGRAM = `
import json, os, urllib.request
def send(method, **params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["AGENTCLASH_MCP_TOKEN"]}
    with urllib.request.urlopen(urllib.request.Request(os.environ["AGENTCLASH_MCP_URL"], body, headers)) as reply:
        return json.load(reply)["result"]
def call(name, **arguments):
    return json.loads(send("tools/call", name=name, arguments=arguments)["content"][0]["text"])["content"]
km = call("units__convert", **{"value": 26.2, "from": "mile", "to": "kilometre"})
print(km, call("tickets__lookup", id="7").split()[0], end="")
`;

const DEPLOYMENTS = (modelUrl: string) => `
provider_accounts:
  - {name: wire, provider_key: openai, base_url: ${modelUrl}, credential_reference: "workspace-secret://MODEL_KEY"}
model_aliases:
  - {name: main, provider_account: wire, model: m-1}
deployments:
  - name: script
    kind: scripted
    config: {steps: ${JSON.stringify([CONVERT, LOOKUP, SUBMIT].map((call) => ({ call })))}}
  - name: program
    kind: program
    config: {command: [python3, /agent/agent.py], files: [{path: agent.py, from: agent.py}]}
  - {name: model, kind: model, config: {model_alias: main}}
`;

/** Calls one tool after the other. */
function solver({ body }: ScriptedRequest): Behaviour {
  const conversation = JSON.stringify(body.messages);
  const next = conversation.includes('printer') ? SUBMIT : conversation.includes('42.16') ? LOOKUP : CONVERT;
  return { toolCalls: [next] };
}

interface Attempt {
  agent_name: string;
  outcome: string;
  passed: boolean | null;
}

describe('servers of tools that a pack brings', () => {
  const secret = `ticket-${randomBytes(15).toString('hex')}`;
  const sent = new Set<string | undefined>();
  const printed: string[] = [];
  let product: Product;
  let models: ScriptedModel;
  let remote: Server;

  /** Lists one tool, and repeats the credential, as careless servers do. */
  function openTickets(): Server {
    const tool = { name: 'lookup', inputSchema: { type: 'object', properties: { id: { type: 'string' } } } };
    return createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id?: number; method: string };
      const { authorization } = request.headers;
      sent.add(authorization);
      const results: Record<string, object> = {
        initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: {} },
        'tools/list': { tools: [tool] },
        'tools/call': { content: [{ type: 'text', text: `printer (by ${authorization})` }] },
      };
      response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    }).listen(0, '127.0.0.1');
  }

  async function publish(slug: string, server: string, more?: string): Promise<void> {
    const file = path.join(product.folder.path, `${slug}.yaml`);
    writeFileSync(path.join(product.folder.path, `${slug}.py`), server);
    writeFileSync(file, pack(slug, { server: `${slug}.py`, ...(more !== undefined && { more }) }));
    await product.read('challenge-pack', 'publish', file);
  }

  async function race(slug: string, ...deployments: string[]) {
    const words = ['eval', 'start', '--pack', slug, '--deployment', ...deployments, '--follow'];
    const ended = await product.run(words, { timeoutMs: 170_000 });
    printed.push(ended.stdout, ended.stderr);
    const { items } = await product.read<{ items: Attempt[] }>('run', 'attempts', 'last');
    const exported = (await product.run(['run', 'export', 'last'])).stdout;
    printed.push(exported);
    return { ...ended, attempts: items, events: readRecorded(exported) };
  }

  beforeAll(async () => {
    models = await scriptedModel();
    models.follow(solver);
    remote = openTickets();
    await once(remote, 'listening');
    product = await Product.start();
    const binding = ['--host', new URL(models.url).origin];
    await product.run(['secret', 'set', 'MODEL_KEY', ...binding], { stdin: 'sk-of-the-model-server' });
    writeFileSync(path.join(product.folder.path, 'agent.py'), PROGRAM);
    const file = path.join(product.folder.path, 'deployments.yaml');
    writeFileSync(file, DEPLOYMENTS(JSON.stringify(models.url)));
    await product.read('deployment', 'create', '-f', file);
    await product.read('deployment', 'create', '-f', example('deployments', 'mcp-server.yaml'));
    await publish('expedition', UNITS, tickets((remote.address() as AddressInfo).port));
  }, 180_000);
  afterAll(async () => {
    remote?.close();
    remote?.closeAllConnections();
    await product?.stop();
    await models?.close();
    product?.folder.remove();
  }, 120_000);

  test('A run does not start without the secret of a server, and the error names it', async () => {
    const { code, stderr } = await product.run([
      'eval',
      'start',
      '--pack',
      'expedition',
      '--deployment',
      'script',
    ]);
    expect({ code, stderr }).toMatchObject({ code: 64, stderr: expect.stringContaining('TICKETS_TOKEN') });
  });

  test('A scripted agent, a program and a model all call the tools of both servers, and pass', async () => {
    const { port } = remote.address() as AddressInfo;
    const binding = ['--host', `http://127.0.0.1:${port}`];
    const set = await product.run(['secret', 'set', 'TICKETS_TOKEN', ...binding], { stdin: secret });
    expect(set.code).toBe(0);
    const { attempts, events, stderr } = await race('expedition', 'script', 'program', 'model');
    expect({ attempts, stderr }).toMatchObject({
      attempts: attempts.map(() => ({ outcome: 'completed', passed: true })),
    });
    expect(attempts.map(({ agent_name }) => agent_name).sort()).toEqual(['model', 'program', 'script']);
    expect(historyProblems(events)).toEqual([]);
    const calls = events.filter(({ event_type }) => event_type === 'tool.call.completed');
    const ofServers = calls.filter(({ payload }) => payload.layer === 'mcp');
    expect(ofServers.map(({ payload }) => payload.tool_name).sort()).toEqual([
      ...Array(3).fill('tickets__lookup'),
      ...Array(3).fill('units__convert'),
    ]);
    const results = ofServers.flatMap(({ payload }) =>
      payload.tool_name === 'tickets__lookup' ? [payload.result] : [],
    );
    expect(results).toEqual(Array(3).fill({ content: 'printer (by Bearer [redacted:TICKETS_TOKEN])' }));
    expect([...sent]).toEqual([`Bearer ${secret}`]);
    expect(JSON.stringify(models.requests)).not.toContain(secret);
  }, 200_000);

  test('A deployment with a server of the same name is refused, with the names of both', async () => {
    const words = ['eval', 'start', '--pack', 'expedition', '--deployment', 'converter'];
    const { code, stderr } = await product.run(words);
    const message = 'The pack and the deployment "converter" both bring an MCP server "units"';
    expect({ code, stderr }).toMatchObject({ code: 64, stderr: expect.stringContaining(message) });
  });

  test('The page of a version lists the servers', async () => {
    const { stdout } = await product.run(['challenge-pack', 'show', 'expedition']);
    expect(stdout).toMatch(/^units__\* +MCP server: python3 \/mcp\/units\/server\.py$/m);
    expect(stdout).toMatch(/^tickets__\* +MCP server: http:\/\/127\.0\.0\.1:\d+\/mcp$/m);
  });

  test('A server that lists 10,000 tools ends each attempt as missing data, at its first delivery', async () => {
    const crowd = UNITS.replace('[CONVERT]', '[dict(CONVERT, name=f"t{n}") for n in range(10000)]');
    expect(crowd).not.toBe(UNITS);
    await publish('crowded', crowd);
    const { attempts, events } = await race('crowded', 'script', 'program');
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['infra_error', 'infra_error']);
    expect(new Set(events.flatMap(({ delivery }) => delivery ?? []))).toEqual(new Set([1]));
    const failures = events.filter(({ event_type }) => event_type === 'system.run.failed');
    expect(failures.map(({ payload }) => payload.error)).toEqual(
      Array(2).fill(expect.objectContaining({ code: 'mcp_server', retryable: false })),
    );
  }, 200_000);

  test('A server that dies during a call is an error of that tool alone', async () => {
    const mortal = UNITS.replace('return {"content"', 'raise SystemExit(3)\n    return {"content"');
    expect(mortal).not.toBe(UNITS);
    await publish('mortal', mortal);
    const { attempts, events } = await race('mortal', 'script');
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['completed']);
    const failed = events.filter(({ event_type }) => event_type === 'tool.call.failed');
    expect(failed.map(({ payload }) => [payload.tool_name, payload.error])).toEqual([
      ['units__convert', expect.objectContaining({ code: 'mcp_unreachable' })],
      ['tickets__lookup', expect.objectContaining({ code: 'policy' })],
    ]);
  }, 200_000);

  test('The value of the secret is in no output, database, stream, blob or log', async () => {
    const { items } = await product.read<{ items: { id: string }[] }>('run', 'list');
    for (const { id } of items) {
      const attempts = await product.read<{ items: { id: string }[] }>('run', 'attempts', id);
      for (const attempt of attempts.items) {
        const { code, stdout, stderr } = await product.run(['replay', attempt.id, '--full', '--json']);
        expect({ code, stderr }).toMatchObject({ code: 0 });
        printed.push(stdout, stderr);
      }
    }
    expect(printed.join('')).toContain('tickets__lookup');
    // Stopped, so that everything the servers hold in memory is in the files.
    await product.stop();
    const forms = formsOf(secret);
    expect(filesWith(['units__convert'], product.folder.path)).not.toEqual([]);
    expect(filesWith(forms, product.folder.path)).toEqual([]);
    expect(forms.filter((form) => printed.join('').includes(form))).toEqual([]);
  }, 200_000);
});
