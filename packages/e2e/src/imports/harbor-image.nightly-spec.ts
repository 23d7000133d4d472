import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hostRoot, writeLayout } from '@agentclash/images/fixture';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, StackFolder } from '../product.js';

jest.setTimeout(300_000);

const NAME = 'images.invalid/tools';
const PROGRAMS = ['bash', 'cat', 'chmod', 'dirname', 'grep', 'mkdir', 'rm', 'sh', 'timeout'];

/** The solution needs root: it installs a command, which the tests run. */
const files = (image: string) => ({
  'task.toml': `schema_version = "1.4"\n[environment]\ndocker_image = "${image}"\nworkdir = "/work"\n`,
  'instruction.md': 'Install the command given, which prints what /srv/given.txt holds.\n',
  'tests/test.sh': 'if given | grep -q image; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n',
  'solution/solve.sh':
    "printf '#!/bin/sh\\ncat /srv/given.txt\\n' > /usr/bin/given\nchmod 755 /usr/bin/given\n",
});

interface AttemptRow {
  agent_name: string;
  passed: boolean | null;
  validity: string | null;
}

const isRoot = process.getuid?.() === 0;

(isRoot ? describe : describe.skip)('a Harbor task that brings an image (needs root)', () => {
  let product: Product;
  const folder = new StackFolder();
  const at = (...names: string[]) => path.join(folder.path, ...names);

  beforeAll(async () => {
    const digest = await writeLayout(at('layout'), {
      name: `${NAME}:v1`,
      layers: [
        hostRoot(PROGRAMS),
        [
          { name: 'srv/', type: 'directory', mode: 0o755 },
          { name: 'srv/given.txt', content: 'of the image\n' },
        ],
      ],
      env: ['PATH=/usr/bin'],
    });
    for (const [name, content] of Object.entries(files(`${NAME}@${digest}`))) {
      mkdirSync(path.dirname(at('greeting', name)), { recursive: true });
      writeFileSync(at('greeting', name), content);
    }
    mkdirSync(at('images'));
    const env = {
      SANDBOX_IMAGES_DIR: at('images'),
      SANDBOX_IMAGE_LAYOUTS: at('layout'),
      SANDBOX_REGISTRIES: 'none',
    };
    product = await Product.start(folder, env);
  }, 180_000);
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  }, 120_000);

  test('its solution has 1 and an agent that does nothing has 0', async () => {
    await product.read('import', 'harbor', at('greeting'), '-o', at('pack'));
    await product.read('challenge-pack', 'publish', at('pack', 'pack.yaml'));
    await product.read('deployment', 'create', '-f', at('pack', 'deployments.yaml'));
    const agents = ['--deployment', 'greeting-oracle', 'greeting-noop'];
    const race = await product.run(['eval', 'start', '--pack', 'greeting', ...agents, '--follow']);
    expect({ ...race, stdout: '' }).toMatchObject({ code: 0 });
    const { items } = await product.read<{ items: AttemptRow[] }>('run', 'attempts', 'last');
    const rows = items.map(({ agent_name, passed, validity }) => [agent_name, passed, validity]);
    expect(rows.sort()).toEqual([
      ['greeting-noop', false, 'valid'],
      ['greeting-oracle', true, 'valid'],
    ]);
  });
});
