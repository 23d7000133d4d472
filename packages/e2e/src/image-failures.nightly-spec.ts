import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hostRoot, type LayerEntry, writeLayout } from '@agentclash/images/fixture';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, StackFolder } from './product.js';
import { readRecorded } from './testing/recorded.js';

jest.setTimeout(240_000);

const MIB = 1024 ** 2;
/** Of the disk that keeps the images. */
const STORE_BYTES = 64 * MIB;
const DOCKERFILE = 'environment/Dockerfile';

interface Attempt {
  case_key: string;
  outcome: string;
  passed: boolean | null;
  id: string;
}

const isRoot = process.getuid?.() === 0;
const hasBuildah = ['/usr/bin/buildah', '/usr/local/bin/buildah'].some((file) => existsSync(file));
const testBuilds = hasBuildah ? test : test.skip;

(isRoot ? describe : describe.skip)('images that fail (needs root, to mount a small disk)', () => {
  const folder = new StackFolder();
  const store = path.join(folder.path, 'images');
  let product: Product;
  let layouts = 0;
  const made: string[] = [];

  /** A layout with one image, for the executor; its reference by digest. */
  async function image(options: Partial<Parameters<typeof writeLayout>[1]>): Promise<string> {
    layouts += 1;
    const directory = path.join(folder.path, 'layouts', String(layouts));
    const name = `images.invalid/image${layouts}`;
    const digest = await writeLayout(directory, {
      name: `${name}:v1`,
      layers: [hostRoot()],
      env: ['PATH=/usr/bin'],
      ...options,
    });
    made.push(directory);
    return `${name}@${digest}`;
  }

  const images = new Map<string, { image: string; expected: string | undefined }>();

  beforeAll(async () => {
    mkdirSync(store);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${STORE_BYTES},mode=755`, 'agentclash-images', store]);
    const layers = Array.from({ length: 39 }, (_, index): LayerEntry[] => [
      { name: `layer-${index}`, content: String(index) },
    ]);
    const set = async (
      key: string,
      expected: string | undefined,
      options: Partial<Parameters<typeof writeLayout>[1]>,
    ) => images.set(key, { image: await image(options), expected });
    await set('forty', undefined, { layers: [hostRoot(), ...layers] });
    await set('hostile', 'leads out of the image', { layers: [[{ name: '../../up', content: 'x' }]] });
    await set('architecture', 'is for linux/s390x', { architecture: 's390x' });
    await set('large', 'there is no space left for layer 1 of 1', {
      layers: [[{ name: 'zeros', content: Buffer.alloc(2 * STORE_BYTES) }]],
    });
    await set('changed', 'has the digest', {});
    const blobs = path.join(made.at(-1) ?? '', 'blobs/sha256');
    const [layer = ''] = readdirSync(blobs)
      .map((name) => path.join(blobs, name))
      .sort((a, b) => readFileSync(b).length - readFileSync(a).length);
    const bytes = readFileSync(layer);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    writeFileSync(layer, bytes);
    const env = {
      SANDBOX_IMAGES_DIR: store,
      SANDBOX_IMAGE_LAYOUTS: made.join(','),
      SANDBOX_REGISTRIES: 'none',
    };
    product = await Product.start(folder, env);
    const file = path.join(folder.path, 'deployments.yaml');
    const steps = '[{call: {name: submit, arguments: {answer: done}}}]';
    writeFileSync(file, `deployments: [{name: agent, kind: scripted, config: {steps: ${steps}}}]`);
    await product.read('deployment', 'create', '-f', file);
  }, 240_000);
  afterAll(async () => {
    await product?.stop();
    execFileSync('umount', ['--lazy', store]);
    folder.remove();
  }, 120_000);

  /** Races a pack with one case for each sandbox; the attempts by case with the messages of their failures. */
  async function race(
    slug: string,
    sandboxes: Readonly<Record<string, string>>,
    files: Readonly<Record<string, string>> = {},
  ) {
    const beside = path.join(folder.path, slug);
    for (const [name, content] of Object.entries({ ...files, 'pack.yaml': pack(slug, sandboxes, files) })) {
      mkdirSync(path.dirname(path.join(beside, name)), { recursive: true });
      writeFileSync(path.join(beside, name), content);
    }
    await product.read('challenge-pack', 'publish', path.join(beside, 'pack.yaml'));
    const words = ['eval', 'start', '--pack', slug, '--deployment', 'agent', '--follow'];
    await product.run(words, { timeoutMs: 200_000 });
    const { items } = await product.read<{ items: Attempt[] }>('run', 'attempts', 'last');
    const events = readRecorded((await product.run(['run', 'export', 'last'])).stdout);
    return new Map(
      items.map(({ id, case_key, outcome, passed }) => {
        const failures = events.filter(
          (event) => event.attempt_id === id && event.event_type === 'system.run.failed',
        );
        const messages = failures.map(({ payload }) => JSON.stringify(payload.error));
        return [case_key, { outcome, passed, deliveries: failures.length, message: messages.join('\n') }];
      }),
    );
  }

  function expectNothingUnfinished(): void {
    expect(readdirSync(path.join(store, 'work'))).toEqual([]);
  }

  test('40 layers run, and every image that cannot be used is missing data with its reason', async () => {
    const used = [...images].filter(([key]) => key !== 'large');
    const sandboxes = Object.fromEntries(
      used.map(([key, { image: reference }]) => [key, `{image: "${reference}"}`]),
    );
    const attempts = await race('images', sandboxes);
    for (const [key, { expected }] of used) {
      const attempt = attempts.get(key);
      if (expected === undefined) expect(attempt).toMatchObject({ outcome: 'completed', passed: true });
      else {
        expect(attempt).toMatchObject({ outcome: 'infra_error', passed: null });
        expect(attempt?.message).toContain(expected);
      }
    }
    // Another delivery would end like this one.
    for (const key of ['hostile', 'architecture', 'changed']) expect(attempts.get(key)?.deliveries).toBe(1);
    expectNothingUnfinished();
  });

  test('a full disk is missing data after further deliveries, and leaves space for others', async () => {
    const { image: reference = '', expected = '' } = images.get('large') ?? {};
    const attempt = (await race('large', { large: `{image: "${reference}"}` })).get('large');
    expect(attempt).toMatchObject({ outcome: 'infra_error', passed: null });
    expect(attempt?.message).toContain(expected);
    expect(attempt?.deliveries).toBeGreaterThan(1);
    expectNothingUnfinished();
  });

  testBuilds(
    'an image is built from a Dockerfile, and one that cannot be built names its last lines',
    async () => {
      const base = images.get('forty')?.image ?? '';
      const files = {
        [DOCKERFILE]: `FROM ${base}\nCOPY greeting /greeting\nRUN cat /greeting /layer-38 > /made\n`,
        'environment/greeting': 'hello',
        'broken/Dockerfile': `FROM ${base}\nRUN echo the reason is this; exit 3\n`,
      };
      const sandboxes = {
        built: `{dockerfile: ${DOCKERFILE}, run_as_root: true}`,
        shared: `{dockerfile: ${DOCKERFILE}}`,
        broken: '{dockerfile: broken/Dockerfile}',
      };
      const attempts = await race('builds', sandboxes, files);
      for (const key of ['built', 'shared']) {
        expect(attempts.get(key)).toMatchObject({ outcome: 'completed', passed: true });
      }
      expect(attempts.get('broken')).toMatchObject({ outcome: 'infra_error', passed: null, deliveries: 1 });
      expect(attempts.get('broken')?.message).toContain('the reason is this');
      expectNothingUnfinished();
    },
  );
});

function pack(
  slug: string,
  sandboxes: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
): string {
  const assets = Object.keys(files).map((name, index) => `{key: a${index}, path: ${name}}`);
  const cases = Object.entries(sandboxes).map(
    ([key, sandbox]) => `      - {challenge_key: submit, case_key: ${key}, sandbox: ${sandbox}}`,
  );
  return `
pack: {slug: ${slug}, name: Images, family: tests}
version:
  number: 1
  assets: [${assets.join(', ')}]
  evaluation_spec:
    name: ${slug}
    version_number: 1
    judge_mode: deterministic
    validators: [{key: done, type: contains, target: final_output, expected_from: "literal:done"}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - {key: submit, title: Submit, category: tests, difficulty: easy, instructions: Submit done.}
input_sets:
  - key: default
    name: Cases
    cases:
${cases.join('\n')}
`;
}
