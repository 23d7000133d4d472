import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hostRoot, serveLayout, writeLayout } from '@agentclash/images/fixture';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { agentclash, Product, StackFolder } from './product.js';
import { readRecorded } from './testing/recorded.js';

jest.setTimeout(180_000);

const NAME = 'images.invalid/tools';

const pack = (slug: string, image: string) => `
pack: {slug: ${slug}, name: Install a tool, family: tests}
version:
  number: 1
  execution_mode: native
  tool_policy: {allow_shell: true}
  filesystem: {working_directory: /app}
  sandbox: {image: "${image}", run_as_root: true}
  evaluation_spec:
    name: ${slug}
    version_number: 1
    judge_mode: deterministic
    post_execution_checks:
      - {key: given, type: file_capture, path: given.txt}
    validators:
      - key: installed
        type: code_execution
        target: "file:given"
        config: {test_command: "tool | grep works", timeout_ms: 20000}
      - {key: image, type: contains, target: "file:given", expected_from: case.expectations.given}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - {key: install, title: Install, category: tests, difficulty: easy, instructions: Install the program tool.}
input_sets:
  - key: default
    name: One
    cases: [{challenge_key: install, case_key: one, expectations: [{key: given, kind: text, value: of the image}]}]
`;

const INSTALL = "printf '#!/bin/sh\\necho works\\n' > /usr/bin/tool; chmod 755 /usr/bin/tool; rm /etc/motd";

const DEPLOYMENTS = `
deployments:
  - name: honest
    kind: scripted
    config: {steps: [{call: {name: exec, arguments: {command: ${JSON.stringify(['sh', '-c', INSTALL])}}}}, {call: {name: submit, arguments: {answer: done}}}]}
  - name: idle
    kind: scripted
    config: {steps: [{call: {name: submit, arguments: {answer: done}}}]}
`;

interface Attempt {
  agent_name: string;
  outcome: string;
  passed: boolean | null;
}

const isRoot = process.getuid?.() === 0;

(isRoot ? describe : describe.skip)('packs that bring an image', () => {
  let product: Product;
  let image: string;
  let layout: string;

  beforeAll(async () => {
    const folder = new StackFolder();
    layout = path.join(folder.path, 'layout');
    const own = [
      { name: 'app/', type: 'directory' as const, mode: 0o755 },
      { name: 'app/given.txt', content: 'of the image\n' },
      { name: 'etc/motd', content: 'welcome\n' },
    ];
    const digest = await writeLayout(layout, {
      name: `${NAME}:v1`,
      layers: [hostRoot(), own],
      env: ['PATH=/usr/bin'],
    });
    image = `${NAME}@${digest}`;
    const images = path.join(folder.path, 'images');
    mkdirSync(images);
    const env = { SANDBOX_IMAGES_DIR: images, SANDBOX_IMAGE_LAYOUTS: layout, SANDBOX_REGISTRIES: 'none' };
    product = await Product.start(folder, env);
    const file = path.join(folder.path, 'deployments.yaml');
    writeFileSync(file, DEPLOYMENTS);
    await product.read('deployment', 'create', '-f', file);
  }, 180_000);
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  }, 120_000);

  async function publish(slug: string, reference: string): Promise<void> {
    const file = path.join(product.folder.path, `${slug}.yaml`);
    writeFileSync(file, pack(slug, reference));
    await product.read('challenge-pack', 'publish', file);
  }

  async function race(slug: string, ...deployments: string[]) {
    const words = ['eval', 'start', '--pack', slug, '--deployment', ...deployments, '--follow'];
    const ended = await product.run(words, { timeoutMs: 120_000 });
    const { items } = await product.read<{ items: Attempt[] }>('run', 'attempts', 'last');
    return {
      ...ended,
      attempts: items,
      events: readRecorded((await product.run(['run', 'export', 'last'])).stdout),
    };
  }

  test('What an agent installs as root in the image is there for the tests, and nothing passes nothing', async () => {
    await publish('install', image);
    const { attempts, events } = await race('install', 'honest', 'idle');
    const verdicts = attempts.map(({ agent_name, outcome, passed }) => ({ agent_name, outcome, passed }));
    expect(verdicts.sort((a, b) => (a.agent_name < b.agent_name ? -1 : 1))).toEqual([
      { agent_name: 'honest', outcome: 'completed', passed: true },
      { agent_name: 'idle', outcome: 'completed', passed: false },
    ]);
    const created = events.filter(({ event_type }) => event_type === 'sandbox.created');
    expect(new Set(created.map(({ payload }) => payload.image))).toEqual(new Set([image]));
  });

  test('An image that cannot be had is missing data with its name, and no zero of the agent', async () => {
    const absent = `${NAME}@sha256:${'0'.repeat(64)}`;
    await publish('absent', absent);
    const { attempts, events } = await race('absent', 'honest');
    expect(attempts).toMatchObject([{ outcome: 'infra_error', passed: null }]);
    const failures = events.filter(({ event_type }) => event_type === 'system.run.failed');
    expect(JSON.stringify(failures.map(({ payload }) => payload.error))).toContain(
      `there is no image ${absent}`,
    );
  });

  test('A tag that no registry has is refused with its place in the file and the next step', async () => {
    const file = path.join(product.folder.path, 'tagged.yaml');
    writeFileSync(file, pack('tagged', `${NAME}:v9`));
    const { code, stderr, stdout } = await product.run(['challenge-pack', 'publish', file]);
    expect(code).toBe(64);
    expect(stdout + stderr).toContain('version.sandbox.image');
    expect(stdout + stderr).toContain('name it by its digest');
  });

  test('A run in one process pulls the image from its registry, and grades what was installed in it', async () => {
    const registry = await serveLayout(layout);
    const { folder } = product;
    const [file, results] = [path.join(folder.path, 'pulled.yaml'), path.join(folder.path, 'pulled.clash')];
    writeFileSync(file, pack('pulled', image.replace(NAME, `${registry.host}/tools`)));
    const images = path.join(folder.path, 'images-of-run');
    const env = { SANDBOX_IMAGES_DIR: images, OPERATOR_UNLOCK: '127.0.0.0/8' };
    const agents = path.join(folder.path, 'deployments.yaml');
    const words = ['run', file, '--agents', agents, '--deployment', 'honest', '-o', results, '--json'];
    const { code, stdout, stderr } = await agentclash(words, { folder, env, timeoutMs: 120_000 });
    registry.close();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ ranking: { items: [{ name: 'honest', passed: true }] } });
    expect(registry.requests).toContainEqual(expect.stringContaining(image.slice(image.indexOf('sha256:'))));
  });

  test('A run in one process without a daemon for its sandboxes ends before its race, and leaves no file', async () => {
    const { folder } = product;
    const [file, results] = [path.join(folder.path, 'refused.yaml'), path.join(folder.path, 'refused.clash')];
    writeFileSync(file, pack('refused', image));
    const env = { SANDBOX_PROVIDER: 'docker', DOCKER_HOST: 'unix:///nowhere/docker.sock' };
    const agents = path.join(folder.path, 'deployments.yaml');
    const words = ['run', file, '--agents', agents, '--deployment', 'honest', '-o', results];
    const { code, stderr } = await agentclash(words, { folder, env, timeoutMs: 60_000 });
    expect(code).not.toBe(0);
    expect(stderr).toContain('/nowhere/docker.sock');
    expect(existsSync(results)).toBe(false);
  });
});
