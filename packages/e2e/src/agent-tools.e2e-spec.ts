import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Product, repository } from './product.js';

jest.setTimeout(240_000);

const PACK = path.join(repository, 'examples/challenge-packs/capital-cities.yaml');
const AGENTS = path.join(repository, 'examples/deployments/capital-cities.yaml');

describe('agentclash mcp with a server', () => {
  let product: Product;
  let client: Client;
  let silent: Server;
  let requests = 0;

  beforeAll(async () => {
    product = await Product.start(undefined, { OPERATOR_UNLOCK: '127.0.0.0/8' });
    silent = createServer(() => {
      requests += 1;
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    writeFileSync(path.join(product.folder.path, 'pack.yaml'), readFileSync(PACK));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const deployments = path.join(product.folder.path, 'silent.yaml');
    writeFileSync(deployments, `deployments:\n  - {name: silent, kind: endpoint, config: {url: "${url}"}}\n`);
    await product.read('deployment', 'create', '-f', AGENTS);
    await product.read('deployment', 'create', '-f', deployments);
    client = new Client({ name: 'test', version: '1' });
    const environment = Object.entries(product.folder.environment());
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [path.join(repository, 'apps/cli/bin/agentclash.js'), 'mcp'],
        cwd: product.folder.path,
        env: Object.fromEntries(
          environment.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        ),
      }),
    );
  });
  afterAll(async () => {
    await client?.close();
    silent?.closeAllConnections();
    silent?.close();
    await product?.stop();
    product?.folder.remove();
  });

  const call = async (name: string, given: Record<string, unknown>, signal?: AbortSignal) => {
    const options = { timeout: 200_000, ...(signal && { signal }) };
    const { content, isError = false } = await client.callTool({ name, arguments: given }, options);
    const [first] = content;
    return { isError, text: first?.type === 'text' ? first.text : '' };
  };

  test('a pack is published, raced on the server, explained and compared', async () => {
    const published = await call('publish', { pack: 'pack.yaml' });
    expect(published).toEqual({ isError: false, text: expect.stringContaining('published version 1') });
    const raced = await call('run', { pack: 'capital-cities', deployments: ['concise', 'chatty'] });
    expect(raced).toEqual({ isError: false, text: expect.stringMatching(/^Exit code 0: ok\n# {2}AGENT/) });
    const [, run = ''] = /scorecard \{"run": "([^"]+)"\}/.exec(raced.text) ?? [];
    const [, attempt] = /"attempt": "([0-9a-f-]{36})"/.exec(raced.text) ?? [];
    expect(await call('scorecard', { run })).toEqual({
      isError: false,
      text: expect.stringContaining('agent.output_incorrect'),
    });
    expect(await call('replay', { attempt })).toEqual({
      isError: false,
      text: expect.stringContaining('chatty'),
    });
    const compared = await call('compare', { baseline: run, candidate: 'last', agents: ['concise'] });
    expect(compared).toEqual({ isError: false, text: expect.stringContaining('inconclusive') });
    const token = readFileSync(path.join(product.folder.path, 'config/agentclash/stack.yaml'), 'utf8');
    for (const secret of token.match(/ac_\w+/g) ?? [])
      expect(compared.text + raced.text).not.toContain(secret);
  });

  test('a run of agents that the server lacks names the tool that stores them, and runs after it', async () => {
    writeFileSync(
      path.join(product.folder.path, 'further.yaml'),
      readFileSync(AGENTS, 'utf8').replaceAll('concise', 'further'),
    );
    const race = { pack: 'capital-cities', deployments: ['further'] };
    const refused = await call('run', race);
    expect(refused).toEqual({ isError: true, text: expect.stringContaining('Next: publish {"pack": FILE}') });
    const applied = await call('apply', { file: 'further.yaml' });
    expect(applied).toEqual({ isError: false, text: expect.stringContaining('further') });
    expect(await call('run', race)).toEqual({
      isError: false,
      text: expect.stringMatching(/^Exit code 0: ok/),
    });
  });

  test('a run that is not waited for is named, and its scorecard follows', async () => {
    const started = await call('run', { pack: 'capital-cities@1', deployments: ['concise'], wait: false });
    expect(started).toEqual({ isError: false, text: expect.stringContaining('when it has ended') });
    const [, run = ''] = /scorecard \{"run": "([^"]+)"\}/.exec(started.text) ?? [];
    await product.run(['run', 'show', run, '--follow'], { timeoutMs: 60_000 });
    expect(await call('scorecard', { run })).toMatchObject({ text: expect.stringContaining('concise') });
  });

  test('a cancelled call cancels its run on the server', async () => {
    const abort = new AbortController();
    const cancelled = expect(
      call('run', { pack: 'capital-cities', deployments: ['silent'] }, abort.signal),
    ).rejects.toThrow();
    await waitFor(() => requests > 0);
    abort.abort();
    await cancelled;
    await waitFor(async () => {
      const { items } = await product.read<{ items: { status: string }[] }>('run', 'list', '--limit', '1');
      return items[0]?.status === 'cancelled';
    });
  });

  test('options of files are refused for a published pack, with the next step', async () => {
    const refused = await call('run', { pack: 'capital-cities', agents: 'silent.yaml' });
    expect(refused).toEqual({
      isError: true,
      text: expect.stringContaining('Next: On a server agents are deployments'),
    });
  });
});
