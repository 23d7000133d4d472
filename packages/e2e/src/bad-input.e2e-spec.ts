import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { agentclash, type Ended, Product, repository, StackFolder } from './product.js';

jest.setTimeout(180_000);

const EXIT = { usage: 64, notFound: 66, unavailable: 69, unauthorized: 77 };
const capitals = path.join(repository, 'examples/challenge-packs/capital-cities.yaml');

/** One message on stderr that holds the words, no stack, and this exit code. */
function expectClear({ code, stderr, stdout }: Ended, exit: number, ...words: (string | RegExp)[]): void {
  expect({ code, stderr }).toMatchObject({ code: exit });
  for (const word of words) expect(stderr + stdout).toMatch(word);
  expect(stderr + stdout).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  expect(stderr.split('\n').filter((line) => line.startsWith('error '))).toHaveLength(1);
}

describe('mistakes of a user', () => {
  let product: Product;
  const written = (name: string, text: string) => {
    const file = path.join(product.folder.path, name);
    writeFileSync(file, text);
    return file;
  };

  beforeAll(async () => {
    product = await Product.start();
    await product.read('challenge-pack', 'publish', capitals);
    await product.read(
      'deployment',
      'create',
      '-f',
      path.join(repository, 'examples/deployments/capital-cities.yaml'),
    );
  }, 180_000);
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  }, 120_000);

  test('broken YAML is refused with line and column', async () => {
    const file = written('broken.yaml', 'pack:\n  slug: [a\nversion: 1\n');
    expectPlaced(await product.run(['challenge-pack', 'validate', file]));
    expectPlaced(await product.run(['challenge-pack', 'publish', file]));
    function expectPlaced(ended: Ended): void {
      expect(ended).toMatchObject({ code: EXIT.usage });
      expect(ended.stdout + ended.stderr).toMatch(/broken\.yaml:\d+:\d+|^\s*\d+:\d+ /m);
      expect(ended.stdout + ended.stderr).toContain('yaml_syntax');
    }
  });

  test('an unknown deployment is refused by name', async () => {
    const words = ['eval', 'start', '--pack', 'capital-cities', '--deployment', 'unknown-agent'];
    expectClear(await product.run(words), EXIT.notFound, 'unknown-agent');
  });

  test('an unknown pack is refused by name', async () => {
    const words = ['eval', 'start', '--pack', 'capital-citys', '--deployment', 'concise'];
    expectClear(await product.run(words), EXIT.notFound, 'capital-citys');
  });

  test('a run on one of several input sets without a choice is refused with their list', async () => {
    const file = written('two-sets.yaml', twoInputSets());
    await product.read('challenge-pack', 'publish', file);
    const words = ['eval', 'start', '--pack', 'two-sets', '--deployment', 'concise'];
    expectClear(await product.run(words), EXIT.usage, 'input', 'north', 'south');
  });

  test('a wrong token is refused', async () => {
    const ended = await product.run(['challenge-pack', 'list', '--token', 'ac_wrong']);
    expectClear(ended, EXIT.unauthorized, /token/i);
  });

  test('a second start on the same data reports the stack that runs already', async () => {
    const { code, stdout, stderr } = await product.run(['up', '--detach', '--data', product.folder.data]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(product.state.url) });
    expect(stderr).toContain('Already running');
  });

  test('a service that is down is reported as unavailable', async () => {
    const folder = new StackFolder();
    try {
      const ended = await agentclash(
        ['challenge-pack', 'list', '--api-url', 'http://127.0.0.1:9', '--token', 'ac_x'],
        {
          folder,
        },
      );
      expectClear(ended, EXIT.unavailable, '127.0.0.1:9');
    } finally {
      folder.remove();
    }
  });
});

describe('a machine without a stack', () => {
  const folder = new StackFolder();
  afterAll(() => folder.remove());

  test('a port in use is refused by number', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    try {
      const ended = await agentclash(['up', '--detach', '--data', folder.data, '--port', String(port)], {
        folder,
      });
      expectClear(ended, EXIT.unavailable, String(port));
    } finally {
      server.close();
    }
  }, 120_000);

  test('commands without a stack print how to start one', async () => {
    expectClear(await agentclash(['run', 'list'], { folder }), EXIT.unavailable, 'agentclash up');
  });

  test('the command line of a broken start leaves no server running', () => {
    const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(stdout.split('\n').filter((line) => line.includes(folder.path))).toEqual([]);
  });
});

function twoInputSets(): string {
  const set = (key: string) =>
    `  - {key: ${key}, name: ${key}, cases: [{challenge_key: greet, case_key: one, expectations: [{key: word, kind: text, value: hi}]}]}`;
  return [
    'pack: {slug: two-sets, name: Two sets, family: tests}',
    'version:',
    '  number: 1',
    '  execution_mode: prompt_eval',
    '  evaluation_spec:',
    '    name: two-sets',
    '    version_number: 1',
    '    judge_mode: deterministic',
    '    validators: [{key: exact, type: exact_match, target: final_output, expected_from: case.expectations.word}]',
    '    scorecard: {strategy: binary, dimensions: [{key: correctness, validators: [exact], pass_threshold: 1}]}',
    'challenges: [{key: greet, title: Greet, category: tests, difficulty: easy, instructions: Reply with hi.}]',
    'input_sets:',
    set('north'),
    set('south'),
    '',
  ].join('\n');
}
