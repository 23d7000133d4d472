import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Progress } from '@modelcontextprotocol/client';
import { command, emptyFolder, removeFolders } from './testing/command.js';
import { type Generation, McpTestClient } from './testing/mcp-client.js';

jest.setTimeout(120_000);

const examples = path.resolve(import.meta.dirname, '../../../examples');
const folder = emptyFolder();
const elsewhere = emptyFolder();
const TOOLS = ['validate', 'audit', 'run', 'scorecard', 'replay', 'compare', 'publish', 'apply', 'more'];
const RACE = { pack: 'capital-cities.yaml', agents: 'agents.yaml' };

beforeAll(() => {
  cpSync(
    path.join(examples, 'challenge-packs/capital-cities.yaml'),
    path.join(folder, 'capital-cities.yaml'),
  );
  cpSync(path.join(examples, 'deployments/capital-cities.yaml'), path.join(folder, 'agents.yaml'));
  cpSync(path.join(folder, 'capital-cities.yaml'), path.join(elsewhere, 'pack.yaml'));
  symlinkSync(path.join(elsewhere, 'pack.yaml'), path.join(folder, 'link.yaml'));
  writeFileSync(path.join(folder, 'broken.yaml'), 'pack: {slug: broken}\nchallenges: 3\n');
});
afterAll(removeFolders);

describe.each<[string, 'overStdio' | 'overHttp', Generation]>([
  ['stdio', 'overStdio', 'legacy'],
  ['stdio of 2026', 'overStdio', 'auto'],
  ['HTTP', 'overHttp', 'legacy'],
  ['HTTP of 2026', 'overHttp', 'auto'],
])('the tools of agentclash mcp over %s', (_name, transport, generation) => {
  let client: McpTestClient;
  beforeAll(async () => {
    client = await McpTestClient[transport](folder, { generation });
  });
  afterAll(async () => await client?.close());

  test('a pack is validated, raced and explained without a server', async () => {
    expect(await client.tools()).toEqual(TOOLS);
    const valid = await client.call('validate', { pack: 'capital-cities.yaml' });
    expect(valid).toEqual({ isError: false, text: expect.stringContaining('capital-cities version 1') });
    const output = `${transport}-${generation}.clash`;
    const reports: Progress[] = [];
    const onprogress = (report: Progress) => reports.push(report);
    const raced = await client.call('run', { ...RACE, output }, { onprogress });
    expect(raced).toEqual({ isError: false, text: expect.stringMatching(/^Exit code 0: ok\n# {2}AGENT/) });
    expect(raced.text).toContain(`Next: scorecard {"run": "./${output}"}`);
    expect(reports).toContainEqual({ progress: expect.any(Number), total: 10, message: expect.any(String) });
    const values = reports.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  });

  test('a call without a server has the error of the command with its next step', async () => {
    for (const [name, given] of [
      ['publish', { pack: 'capital-cities.yaml' }],
      ['apply', { file: RACE.agents }],
      ['scorecard', { run: 'last' }],
      ['run', { pack: 'capital-cities', deployments: ['concise'] }],
    ] as const) {
      const refused = await client.call(name, given);
      expect(refused).toEqual({
        isError: true,
        text: expect.stringContaining('agentclash up starts one here'),
      });
    }
  });
});

describe('the limits of agentclash mcp', () => {
  let client: McpTestClient;
  beforeAll(async () => {
    client = await McpTestClient.overStdio(folder);
  });
  afterAll(async () => await client?.close());

  test('the failures of a run are explained, and two runs compared, from files of results', async () => {
    const output = 'explained.clash';
    const raced = await client.call('run', { ...RACE, output });
    const failures = await client.call('scorecard', { run: output });
    expect(failures.text).toContain('agent.output_incorrect');
    const [, attempt] = /"attempt": "([0-9a-f-]{36})"/.exec(raced.text) ?? [];
    const card = await client.call('scorecard', { run: output, attempt });
    expect(card).toEqual({ isError: false, text: expect.stringContaining('chatty') });
    const steps = await client.call('replay', { run: output, attempt });
    expect(steps).toEqual({ isError: false, text: expect.stringMatching(/chatty {2}\w+ #1 {2}completed/) });
    const compared = await client.call('compare', {
      baseline: output,
      candidate: output,
      agents: ['concise'],
    });
    expect(compared).toEqual({ isError: false, text: expect.stringContaining('inconclusive') });
  });

  test('the problems of a pack are a verdict with lines and columns, and no error', async () => {
    const invalid = await client.call('validate', { pack: 'broken.yaml' });
    expect(invalid).toEqual({
      isError: false,
      text: expect.stringMatching(/^Exit code 64: usage\n[\s\S]*broken\.yaml/),
    });
    expect(invalid.text).toMatch(/2:13/);
  });

  test.each([
    ['validate', { pack: '../../../../../../etc/passwd' }],
    ['validate', { pack: 'link.yaml' }],
    ['audit', { pack: 'link.yaml' }],
    ['run', { ...RACE, agents: 'link.yaml' }],
    ['apply', { file: 'link.yaml' }],
    ['run', { ...RACE, output: path.join(elsewhere, 'results.clash') }],
    ['run', { ...RACE, resume: '../results.clash' }],
    ['scorecard', { run: '/tmp/results.clash' }],
  ])('a file outside of the working directory is refused by %s %j', async (name, given) => {
    const refused = await client.call(name, given);
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/outside of the folders of this server|does not exist/);
    expect(refused.text).toContain('Next: ');
    expect(refused.text).not.toContain('capital-cities version');
  });

  test.each<[string, object, string]>([
    ['run', { pack: 'capital-cities.yaml' }, 'agentclash deployment init FILE writes one'],
    ['run', { ...RACE, agents: 'broken.yaml' }, 'correct these lines of the file, then call run again'],
    ['run', { ...RACE, deployments: ['absent'] }, 'change the arguments as the error describes it'],
    ['run', { ...RACE, resume: 'absent.clash' }, 'then call run again'],
    ['run', { repetitions: 0, other: 1 }, 'call run again with arguments of its schema: pack, agents, '],
    ['replay', { attempt: 'zz' }, 'call replay again with arguments of its schema: attempt, run, full'],
    ['scorecard', { run: 'absent.clash' }, 'Paths count from the working directory'],
    ['validate', { pack: 'broken.yaml' }, 'correct these lines of the file, then call validate again'],
    ['more', {}, 'call more again with arguments of its schema: cursor'],
    ['more', { cursor: 'none' }, 'Call the tool of that reply again'],
  ])('an error of the tool %s %j ends with the next step', async (name, given, step) => {
    const { text } = await client.call(name, { ...given });
    expect(text.split('\n').at(-1)).toMatch(/^Next: /);
    expect(text.split('\n').at(-1)).toContain(step);
  });

  test('a file of a folder that the flag names is read', async () => {
    const wider = await McpTestClient.overStdio(folder, { words: ['--folder', elsewhere] });
    try {
      const { text } = await wider.call('validate', { pack: 'link.yaml' });
      expect(text).toContain('capital-cities version 1');
    } finally {
      await wider.close();
    }
  });

  test('a folder that does not exist is refused when the server starts', async () => {
    const refused = await command(['mcp', '--folder', 'nowhere'], { cwd: folder });
    expect(refused).toMatchObject({ code: 66, stderr: expect.stringContaining('nowhere') });
  });

  test('an argument never becomes an option of a command', async () => {
    const refused = await client.call('run', { ...RACE, deployments: ['--allow-loopback-endpoints'] });
    expect(refused).toEqual({ isError: true, text: expect.stringContaining('does not begin with a hyphen') });
    const unknown = await client.call('run', { ...RACE, name: 'x', secret: 'HOME' });
    expect(unknown).toEqual({ isError: true, text: expect.stringContaining('secret') });
  });

  test('a long reply has pages of 8,000 characters, each with the cursor of the next', async () => {
    const cases = Array.from(
      { length: 400 },
      (_, index) => `      - {challenge_key: capital, case_key: case-${index}, expectations: 3}`,
    );
    const text = readFileSync(path.join(folder, 'capital-cities.yaml'), 'utf8');
    writeFileSync(
      path.join(folder, 'long.yaml'),
      text.replace(/( {4}cases:\n)[\s\S]*$/, `$1${cases.join('\n')}\n`),
    );
    let page = await client.call('validate', { pack: 'long.yaml' });
    const pages = [page.text];
    for (;;) {
      const [, cursor] = /more \{"cursor": "([0-9a-f]+-\d+)"\}/.exec(page.text) ?? [];
      if (cursor === undefined) break;
      page = await client.call('more', { cursor });
      pages.push(page.text);
    }
    expect(pages.length).toBeGreaterThan(2);
    for (const each of pages) expect(each.length).toBeLessThan(8_200);
    expect(pages.at(-1)).toContain(`[page ${pages.length} of ${pages.length}; the last]`);
    expect(await client.call('more', { cursor: '000000000000-1' })).toMatchObject({ isError: true });
  });
});

describe('runs that last, under agentclash mcp', () => {
  let silent: Server;
  let requests = 0;
  let authorization: string | undefined;
  beforeAll(async () => {
    // An agent that never ends: the run lasts until it is stopped.
    silent = createServer((request) => {
      requests += 1;
      authorization = request.headers.authorization;
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    writeFileSync(
      path.join(folder, 'silent.yaml'),
      `deployments:\n  - {name: silent, kind: endpoint, config: {url: "${url}"}}\n`,
    );
    writeFileSync(
      path.join(folder, 'credential.yaml'),
      `deployments:\n  - {name: silent, kind: endpoint, config: {url: "${url}", credential_reference: "env://OWN_KEY"}}\n`,
    );
  });
  afterAll(() => {
    silent.closeAllConnections();
    silent.close();
  });

  const silentRace = { pack: 'capital-cities.yaml', agents: 'silent.yaml' };

  test.each<['overStdio' | 'overHttp', Generation]>([
    ['overStdio', 'legacy'],
    ['overHttp', 'legacy'],
    ['overHttp', 'auto'],
  ])('a cancelled call stops its run, which can be continued (%s, %s)', async (transport, generation) => {
    const client = await McpTestClient[transport](folder, {
      words: ['--allow-loopback-endpoints'],
      generation,
    });
    const output = path.join(folder, `cancelled-${transport}-${generation}.clash`);
    const before = requests;
    try {
      const abort = new AbortController();
      const call = client.call('run', { ...silentRace, output }, { signal: abort.signal });
      const cancelled = expect(call).rejects.toThrow();
      await waitFor(() => requests > before);
      abort.abort();
      await cancelled;
      await waitFor(async () => (await openConnections(silent)) === 0);
      // The command writes its last record after it has let go of the agent.
      const lines = await waitFor(() => {
        const written = readFileSync(output, 'utf8').split('\n');
        return written.at(-1) === '' && written.length > 2 ? written.slice(0, -1) : undefined;
      });
      expect(lines.map((line) => JSON.parse(line).record)).toEqual(['run', 'run_event']);
    } finally {
      await client.close();
    }
  });

  test('a client that is gone leaves no run behind', async () => {
    const client = await McpTestClient.overStdio(folder, { words: ['--allow-loopback-endpoints'] });
    const before = requests;
    const call = client.call('run', { ...silentRace, output: path.join(folder, 'gone.clash') });
    const rejected = expect(call).rejects.toThrow();
    await waitFor(() => requests > before);
    await client.close();
    await rejected;
    await waitFor(async () => (await openConnections(silent)) === 0);
    expect(existsSync(path.join(folder, 'gone.clash'))).toBe(true);
  });

  test('a deployment file gets no variable of the server but those that the flag names', async () => {
    const env = { OWN_KEY: 'sk-own-5c0d2f71e8', AGENTCLASH_TOKEN: 'ac_own_5c0d2f71e8' };
    const race = { pack: 'capital-cities.yaml', agents: 'credential.yaml' };
    const words = ['--allow-loopback-endpoints'];
    const client = await McpTestClient.overStdio(folder, { words, env });
    authorization = undefined;
    const refused = await client.call('run', race);
    await client.close();
    expect(refused).toEqual({ isError: false, text: expect.stringContaining('0/5  invalid') });
    expect(authorization).toBeUndefined();
    const named = await McpTestClient.overStdio(folder, { words: [...words, '--secret', 'OWN_KEY'], env });
    const abort = new AbortController();
    const call = expect(named.call('run', race, { signal: abort.signal })).rejects.toThrow();
    await waitFor(() => authorization !== undefined);
    abort.abort();
    await call;
    await named.close();
    expect(authorization).toBe('Bearer sk-own-5c0d2f71e8');
  });

  test('a secret that the server names and the environment lacks is refused at its start', async () => {
    const refused = await command(['mcp', '--secret', 'NOT_THERE'], { cwd: folder });
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringContaining('NOT_THERE') });
  });

  test('the value of a secret is replaced in every reply', async () => {
    const env = { OWN_KEY: 'capital-cities' };
    const client = await McpTestClient.overStdio(folder, { words: ['--secret', 'OWN_KEY'], env });
    const { text } = await client.call('validate', { pack: 'capital-cities.yaml' });
    await client.close();
    expect(text).toContain('[redacted:OWN_KEY] version 1');
    expect(text).not.toContain('capital-cities');
  });
});

async function openConnections(server: Server): Promise<number> {
  return await new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
